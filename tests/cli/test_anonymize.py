"""The command line replaces, and restores, folders of texts."""

import json
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

LETTER = "Dear Sir,\r\nDate of birth: November 9, 1965.\nSSN 271-24-0538. Married, 2 children.\n"


@pytest.fixture
def key(tmp_path: Path, run: Run) -> Path:
    file = tmp_path / "key"
    assert run("make-key", file).returncode == 0
    return file


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A folder with a letter, and one within that has a letter too."""
    folder = tmp_path / "letters"
    (folder / "old").mkdir(parents=True)
    (folder / "ward.txt").write_bytes(LETTER.encode())
    (folder / "old" / "ward.txt").write_bytes(LETTER.replace("SSN ", "Soc. Sec. No. ").encode())
    return folder


@pytest.mark.slow
def test_texts_of_a_folder_are_replaced_in_place(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """Each file keeps its place and its line ends; what was found is gone, and never printed."""
    out = tmp_path / "out"

    ran = run("anonymize", letters, "-o", out, "--key-file", key)

    text = (out / "ward.txt").read_bytes().decode()
    assert ran.returncode == 1
    assert text.startswith("Dear Sir,\r\nDate of birth: ")
    assert not any(value in text for value in ("1965", "271-24-0538", "Married", "2 children"))
    assert (out / "old" / "ward.txt").is_file()
    assert not any(word in ran.stdout + ran.stderr for word in ("1965", "271", "arried"))
    assert re.search(r"ward\.txt +US_SSN +1 +surrogate *\n", ran.stdout)


@pytest.mark.slow
def test_a_file_is_a_scope_unless_one_is_named(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """By default two files get two surrogates for one number; with --scope they share it."""

    def numbers(*options: str) -> set[str]:
        out = tmp_path / "-".join(["out", *options])
        run("anonymize", letters, "-o", out, "--key-file", key, *options)
        texts = [file.read_text() for file in sorted(out.rglob("*.txt"))]
        return {found for text in texts for found in re.findall(r"\d{3}-\d{2}-\d{4}", text)}

    apart, together = numbers(), numbers("--scope", "corpus")

    assert (len(apart), len(together)) == (2, 1)


def test_a_second_run_gives_the_same(tmp_path: Path, letters: Path, key: Path, run: Run) -> None:
    """Key and place within the folder decide, whatever the output is called."""
    for name in ("a", "b"):
        run("anonymize", letters, "-o", tmp_path / name, "--key-file", key)

    assert (tmp_path / "a" / "ward.txt").read_bytes() == (tmp_path / "b" / "ward.txt").read_bytes()


def test_standard_input_is_replaced_to_standard_output(key: Path, run: Run) -> None:
    """The command works as a filter; a finding does not keep the text from being written."""
    ran = run("anonymize", "--key-file", key, "--policy", "label", stdin=b"SSN 271-24-0538\n")

    assert ran.returncode == 1
    assert ran.stdout == "SSN <US_SSN>\n"


def test_without_a_key_the_run_says_so(run: Run) -> None:
    """A random key serves the run, and whoever needs to repeat it is warned."""
    ran = run("anonymize", stdin=b"SSN 271-24-0538\n")
    label = run("anonymize", "--policy", "label", stdin=b"SSN 271-24-0538\n")

    assert ran.returncode == 1
    assert "no key was given" in ran.stderr
    assert label.stderr == ""


def test_restore_undoes_with_the_vault(tmp_path: Path, letters: Path, key: Path, run: Run) -> None:
    """The originals come back byte for byte, from a folder and from one file."""
    out, back, vault = tmp_path / "out", tmp_path / "back", tmp_path / "vault"
    run("anonymize", letters, "-o", out, "--key-file", key, "--vault", vault)

    ran = run("restore", out, "-o", back, "--key-file", key, "--vault", vault)
    one = run("restore", "--key-file", key, "--vault", vault, stdin=(out / "ward.txt").read_bytes())

    assert ran.returncode == 0
    for file in ("ward.txt", "old/ward.txt"):
        assert (back / file).read_bytes() == (letters / file).read_bytes()
    assert one.stdout.encode() == (letters / "ward.txt").read_bytes()


def test_a_damaged_vault_is_reported_and_restores_the_rest(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """A message names the line; the text that needs it is not written, the other one is."""
    out, back, vault = tmp_path / "out", tmp_path / "back", tmp_path / "vault"
    run("anonymize", letters, "-o", out, "--key-file", key, "--vault", vault)
    *lines, last = vault.read_bytes().splitlines(keepends=True)
    vault.write_bytes(b"".join([*lines, last[:60] + b"AAAA" + last[64:]]))
    vault.chmod(0o602)

    ran = run("restore", out, "-o", back, "--key-file", key, "--vault", vault)

    assert ran.returncode == 3
    assert f"presidio-cdip: vault {vault}: line 5 is damaged\n" in ran.stderr
    assert "line 5, which holds this text's originals, is damaged or missing" in ran.stderr
    assert "others than its owner may change it" in ran.stderr
    assert [file.name for file in back.rglob("*.txt")] == ["ward.txt"]


def test_a_wrong_key_does_not_restore(tmp_path: Path, letters: Path, key: Path, run: Run) -> None:
    """A wrong key is an error, and nothing is written."""
    out, vault = tmp_path / "out", tmp_path / "vault"
    run("anonymize", letters, "-o", out, "--key-file", key, "--vault", vault)
    run("make-key", tmp_path / "other")

    ran = run(
        "restore", out, "-o", tmp_path / "back", "--key-file", tmp_path / "other", "--vault", vault
    )

    assert ran.returncode == 2
    assert "this key does not open it" in ran.stderr
    assert not (tmp_path / "back").exists()


def test_what_cannot_be_read_is_said_and_not_written(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """A PDF and an image among texts: the others are done, these are named, exit code 3."""
    (letters / "a.pdf").write_bytes(b"%PDF-1.7")
    (letters / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    out = tmp_path / "out"

    ran = run("anonymize", letters, "-o", out, "--key-file", key)

    assert ran.returncode == 3
    assert "a.pdf" in ran.stderr
    assert "b.png" in ran.stderr
    assert sorted(file.name for file in out.iterdir()) == ["old", "ward.txt"]


def test_a_missing_file_is_said(tmp_path: Path, key: Path, run: Run) -> None:
    """Exit code 3, and its name."""
    ran = run("anonymize", tmp_path / "none.txt", "-o", tmp_path / "out", "--key-file", key)

    assert ran.returncode == 3
    assert "none.txt" in ran.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--policy", "surogate"], "policy surogate: there is no such policy"),
        (["--key-file", "nowhere"], "key file nowhere: No such file"),
        (["--scope", ""], "the scope is empty"),
        (["--vault", "v"], "--vault needs a key"),
        ([], "-o DIR is needed"),
    ],
)
def test_wrong_use_exits_with_2(
    letters: Path, tmp_path: Path, options: list[str], says: str, run: Run
) -> None:
    """Before anything is read or written."""
    output = ["-o", str(tmp_path / "out")] if options else []

    ran = run("anonymize", letters, *output, *options)

    assert ran.returncode == 2
    assert says in ran.stderr
    assert not (tmp_path / "out").exists()


def test_a_readable_key_file_is_warned_of(
    letters: Path, tmp_path: Path, key: Path, run: Run
) -> None:
    """The run goes on, and says how to repair it."""
    key.chmod(key.stat().st_mode | stat.S_IROTH)

    ran = run("anonymize", letters, "-o", tmp_path / "out", "--key-file", key)

    assert ran.returncode == 1
    assert "others than its owner may read it" in ran.stderr


def test_an_input_is_never_overwritten(letters: Path, key: Path, run: Run) -> None:
    """The folder itself as output is refused."""
    before = (letters / "ward.txt").read_bytes()

    ran = run("anonymize", letters, "-o", letters, "--key-file", key)

    assert ran.returncode == 2
    assert "would be overwritten" in ran.stderr
    assert (letters / "ward.txt").read_bytes() == before


def test_what_an_earlier_run_wrote_is_not_read(letters: Path, key: Path, run: Run) -> None:
    """An output folder within the input is left out."""
    out = letters / "out"

    for _ in range(2):
        run("anonymize", letters, "-o", out, "--key-file", key)

    assert not (out / "out").exists()


def test_two_files_of_one_name_do_not_overwrite_each_other(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """The second is named and not written, and the exit code says that something is missing."""
    ran = run(
        *("anonymize", letters / "ward.txt", letters / "old" / "ward.txt"),
        *("-o", tmp_path / "out", "--key-file", key),
    )

    assert ran.returncode == 3
    assert "another of this name" in ran.stderr


def test_policies_are_listed_and_shown(run: Run) -> None:
    """The table names all policies; the JSON of one is in the format that REST accepts."""
    import json

    listed, one = run("policies"), run("policies", "surrogate", "--format", "json")

    assert all(name in listed.stdout for name in ("surrogate", "safe_harbor", "generalize"))
    assert json.loads(one.stdout)["US_SSN"] == {"type": "surrogate", "ssn": "unissued"}


def test_make_key_overwrites_nothing(key: Path, run: Run) -> None:
    """A key that exists stays."""
    before = key.read_bytes()

    ran = run("make-key", key)

    assert ran.returncode == 2
    assert key.read_bytes() == before


@pytest.mark.slow
def test_a_packs_own_policy_serves(tmp_path: Path, run: Run) -> None:
    """A folder with operators/ alone is a pack: our rules find, its policy replaces."""
    (tmp_path / "pack" / "operators").mkdir(parents=True)
    (tmp_path / "pack" / "operators" / "gone.yaml").write_text(
        "what: Gone.\nDEFAULT: {operator: replace, new_value: '[gone]'}\n"
    )

    ran = run(
        *("anonymize", "--policy", "gone", "--pack", tmp_path / "pack"), stdin=b"SSN 271-24-0538"
    )

    assert ran.stdout == "SSN [gone]"


@pytest.mark.slow
def test_a_packs_operators_are_verified(tmp_path: Path, run: Run) -> None:
    """Mistakes in its policies and phrases are named, whatever case the file's name has."""
    operators = tmp_path / "operators"
    (operators / "phrases").mkdir(parents=True)
    (operators / "mine.yaml").write_text("what: Mine.\nGENDRE: {operator: redact}\n")
    (operators / "phrases" / "hobby.yaml").write_text(
        "entity: HOBBY\nlists: {game: [golf, chess]}\nshapes:\n"
        "  - {name: plays, when: 'plays {game}', write: ['golf']}\n"
        "  - {name: other, write: ['{game}']}\n"
    )

    ran = run("verify-pack", tmp_path)

    assert ran.returncode == 2
    assert "policy mine: no entity 'GENDRE'; did you mean GENDER?" in ran.stderr
    assert "shape plays writes 'golf', which is read as other" in ran.stderr


def test_one_changed_file_does_not_keep_the_others_from_being_restored(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """It is named, the exit code says that something is missing, and the rest is written."""
    out, back, vault = tmp_path / "out", tmp_path / "back", tmp_path / "vault"
    run("anonymize", letters, "-o", out, "--key-file", key, "--vault", vault)
    (out / "old" / "ward.txt").write_bytes(b"changed")

    ran = run("restore", out, "-o", back, "--key-file", key, "--vault", vault)

    assert ran.returncode == 3
    assert "old/ward.txt: vault" in ran.stderr
    assert (back / "ward.txt").read_bytes() == (letters / "ward.txt").read_bytes()
    assert not (back / "old").exists()


def test_standard_input_has_no_place_in_a_folder(tmp_path: Path, key: Path, run: Run) -> None:
    """A text from standard input cannot be meant for -o, and is not lost there."""
    ran = run("anonymize", "-", "-o", tmp_path / "out", "--key-file", key, stdin=b"46")

    assert ran.returncode == 2
    assert "leave out -o" in ran.stderr


def test_no_input_is_overwritten_through_another_or_a_link(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """A file's place may be another input, directly or through a link in the output folder."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "old").symlink_to(letters / "old")
    (tmp_path / "ward.txt").write_text("SSN 271-24-0538")
    before = (letters / "ward.txt").read_bytes(), (letters / "old" / "ward.txt").read_bytes()

    through = run("anonymize", letters, "-o", out, "--key-file", key)
    onto = run(
        *("anonymize", tmp_path / "ward.txt", letters / "ward.txt", "-o", letters),
        *("--key-file", key),
    )

    assert (through.returncode, onto.returncode) == (2, 2)
    assert before == (
        (letters / "ward.txt").read_bytes(),
        (letters / "old" / "ward.txt").read_bytes(),
    )


def test_who_may_read_a_file_may_read_what_became_of_it(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """Modes are kept, and restored originals are their owner's alone."""
    (letters / "ward.txt").chmod(0o640)
    out, back, vault = tmp_path / "out", tmp_path / "back", tmp_path / "vault"

    run("anonymize", letters, "-o", out, "--key-file", key, "--vault", vault)
    run("restore", out, "-o", back, "--key-file", key, "--vault", vault)

    assert stat.S_IMODE((out / "ward.txt").stat().st_mode) == 0o640
    assert stat.S_IMODE((back / "ward.txt").stat().st_mode) == 0o600


def test_texts_from_standard_input_have_a_scope_each(key: Path, run: Run) -> None:
    """The same text gives the same again; another one does not share its surrogates."""
    one = run("anonymize", "--key-file", key, stdin=b"SSN 271-24-0538").stdout
    same = run("anonymize", "--key-file", key, stdin=b"SSN 271-24-0538").stdout
    other = run("anonymize", "--key-file", key, stdin=b"SSN 271-24-0538.").stdout

    assert one == same
    assert other.rstrip(".") != one


def test_the_report_counts_and_holds_no_original(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """A line for each file: what was replaced, where it now stands, and what could not be read."""
    (letters / "b.txt").write_bytes(b"%PDF-1.7")
    out, report = tmp_path / "out", tmp_path / "report.jsonl"

    ran = run("anonymize", letters, "-o", out, "--key-file", key, "--report", report)

    lines = [json.loads(line) for line in report.read_text().splitlines()]
    first = next(line for line in lines if line["file"].endswith("letters/ward.txt"))
    text = (out / "ward.txt").read_bytes().decode()
    ssn = next(one for one in first["findings"] if one["entity"] == "US_SSN")
    assert ran.returncode == 3
    assert re.fullmatch(r"\d{3}-\d{2}-\d{4}", text[ssn["start"] : ssn["end"]])
    assert first["replaced"]["US_SSN"] == 1
    assert first["characters"] == len(text)
    assert sum("problem" in line for line in lines) == 1
    assert not any(value in report.read_text() for value in ("1965", "271-24", "arried"))


def test_a_column_names_the_scopes_of_rows(tmp_path: Path, key: Path, run: Run) -> None:
    """The same subject has the same surrogates in all files, whatever their format."""
    table, records, out = tmp_path / "a.csv", tmp_path / "b.json", tmp_path / "out"
    table.write_text(
        "Stays\nPatient No.,SSN\n7,271-24-0538\n8,271-24-0538\n,271-24-0538\n", encoding="utf-8"
    )
    records.write_text('[{"patient no.": "8", "ssn": "271-24-0538"}]', encoding="utf-8")
    preview = out / "a.csv.preview.txt"

    ran = run(
        "anonymize", table, records, "-o", out, "--key-file", key, "--preview",
        "--scope-from", "column:patient no.",
    )  # fmt: skip

    assert ran.returncode == 1
    one, other, none = re.findall(r"\d{3}-\d\d-\d{4}", (out / "a.csv").read_text("utf-8"))
    assert len({one, other, none}) == 3
    assert other in (out / "b.json").read_text("utf-8")
    assert all(number in preview.read_text("utf-8") for number in (one, other, none))


@pytest.mark.parametrize("column", ["column:patient", "column: "])
def test_a_column_that_is_not_there_is_an_error(
    tmp_path: Path, key: Path, run: Run, column: str
) -> None:
    """Nothing is written in one scope for all."""
    table, out = tmp_path / "a.csv", tmp_path / "out"
    table.write_text("Name,SSN\nEllen,271-24-0538\nAnn,271-24-0539\n", encoding="utf-8")

    ran = run("anonymize", table, "-o", out, "--key-file", key, "--scope-from", column)

    assert ran.returncode in (2, 3)
    assert "column" in ran.stderr
    assert not (out / "a.csv").exists()


def test_the_report_does_not_overwrite_an_input(letters: Path, key: Path, run: Run) -> None:
    """A file to be read is refused as the report."""
    file = letters / "ward.txt"

    ran = run("anonymize", file, "-o", letters / "o", "--key-file", key, "--report", file)

    assert ran.returncode == 2
    assert file.read_bytes() == LETTER.encode()


def test_a_preview_shows_originals_to_its_owner(
    tmp_path: Path, letters: Path, key: Path, run: Run
) -> None:
    """It stands beside the new text, has mode 600, and is left out by a later run."""
    out = tmp_path / "out"

    run("anonymize", letters, "-o", out, "--key-file", key, "--preview")
    run("anonymize", out, "-o", tmp_path / "again", "--key-file", key)

    shown = out / "ward.txt.preview.txt"
    assert re.search(r"SSN ⟦271-24-0538 → \d{3}-\d{2}-\d{4}⟧\.", shown.read_text())
    assert stat.S_IMODE(shown.stat().st_mode) == 0o600
    assert "271-24" not in (out / "ward.txt").read_text()
    assert not list((tmp_path / "again").rglob("*.preview.txt"))


def test_a_preview_of_a_document_shows_its_texts(tmp_path: Path, key: Path, run: Run) -> None:
    """With their labels, and what replaces each finding."""
    (tmp_path / "a.json").write_text('{"ssn": "271-24-0538"}')

    run("anonymize", tmp_path / "a.json", "-o", tmp_path / "out", "--key-file", key, "--preview")

    shown = tmp_path / "out" / "a.json.preview.txt"
    new = (tmp_path / "out" / "a.json").read_text()[9:20]
    assert shown.read_text().strip() == f"ssn: ⟦271-24-0538 → {new}⟧"
    assert stat.S_IMODE(shown.stat().st_mode) == 0o600


def test_one_value_is_shown_and_inverted(key: Path, run: Run) -> None:
    """From the command line, or from standard input, which leaves no history."""
    options = ("--key-file", key, "--scope", "s", "--set", "US_SSN.ssn=plausible")

    typed = run("surrogate", "us_ssn", "271-24-0538", *options)
    piped = run("surrogate", "US_SSN", "-", *options, stdin=b"271-24-0538\n")
    back = run("invert", "US_SSN", typed.stdout.strip(), *options)

    assert (typed.returncode, back.returncode) == (0, 0)
    assert typed.stdout == piped.stdout
    assert back.stdout == "271-24-0538\n"


def test_candidates_differ_and_the_first_is_the_surrogate(key: Path, run: Run) -> None:
    """Who does not like one may take the next."""
    one = run("surrogate", "PERSON", "Ellen Ward", "--key-file", key)
    five = run("surrogate", "PERSON", "Ellen Ward", "--key-file", key, "--candidates", 5)

    assert five.stdout.startswith(one.stdout)
    assert len({*five.stdout.splitlines()}) == 5


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("surrogate", "AEG", "45"), 2, "there is no such entity"),
        (("surrogate", "AGE", "45", "--set", "AGE.operator=keep"), 2, "has the operator keep"),
        (("invert", "PERSON", "Ellen Ward"), 3, "PERSON: is drawn, not permuted"),
    ],
)
def test_what_has_no_surrogate_is_said(
    key: Path, run: Run, arguments: tuple[str, ...], code: int, said: str
) -> None:
    """A mistyped entity, another operator, and a surrogate that nothing leads back from."""
    ran = run(*arguments, "--key-file", key)

    assert ran.returncode == code
    assert said in ran.stderr
    assert ran.stdout == ""


def test_extras_are_replaced_on_request(key: Path, run: Run) -> None:
    """E-mail addresses and card numbers are Presidio's; they stay unless they are asked for."""
    text = b"SSN 271-24-0538, carol@example.net, card 4111 1111 1111 1111"

    plain = run("anonymize", "--key-file", key, stdin=text).stdout
    extra = run("anonymize", "--key-file", key, "--extras", stdin=text).stdout

    assert "carol@example.net, card 4111 1111 1111 1111" in plain
    assert "carol" not in extra and "4111" not in extra
    assert "271-24" not in plain + extra


def test_a_name_that_tells_is_named_without_it(tmp_path: Path, key: Path, run: Run) -> None:
    """It stays, and the line on standard error does not repeat it."""
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "Ward SSN 271-24-0538.txt").write_text("nothing here\n")
    (folder / "minutes.txt").write_text("nothing here\n")
    (folder / "f.txt").write_text("nothing here\n")

    ran = run("anonymize", folder, "-o", tmp_path / "out", "--key-file", key, "--model", "none")

    assert ran.returncode == 0
    assert "Ward SSN ⟨US_SSN⟩.txt: its name was not changed" in ran.stderr
    assert "271-24-0538" not in ran.stderr
    assert "minutes" not in ran.stderr
    assert "GENDER" not in ran.stderr


@pytest.mark.parametrize("command", ["analyze", "anonymize"])
@pytest.mark.parametrize(
    "text",
    ["see U1NOIDI3MS0yNC0wNTM4", "x.org/?note=Her%20SSN%20is%20271%2D24%2D0538%2E"],
    ids=["base64", "percent signs"],
)
def test_encoded_text_is_not_passed_off_as_clean(
    command: str, text: str, key: Path, run: Run
) -> None:
    """A plain text keeps it: the exit code says so."""
    more = ["--key-file", str(key)] if command == "anonymize" else []

    ran = run(command, "--model", "none", *more, stdin=text.encode())

    assert ran.returncode == 3
    assert "not read, so not clean" in ran.stderr


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252", "utf-32"])
def test_the_encoding_of_a_text_stays(tmp_path: Path, encoding: str, key: Path, run: Run) -> None:
    """With its mark."""
    text = "Zürich, SSN {}\n"
    (tmp_path / "a.txt").write_bytes(text.format("271-24-0538").encode(encoding))
    options = ("--policy", "label", "--model", "none", "--key-file", key)

    run("anonymize", tmp_path / "a.txt", "-o", tmp_path / "b.txt", *options)

    assert (tmp_path / "b.txt").read_bytes() == text.format("<US_SSN>").encode(encoding)


def test_what_an_earlier_run_left_is_named(tmp_path: Path, key: Path, run: Run) -> None:
    """Where the file cannot be read any more, its old output would pass for the new one."""
    file, out = tmp_path / "a.eml", tmp_path / "out"
    options = ("-o", out, "--key-file", key, "--model", "none", "--force")
    file.write_bytes(b"Subject: x\n\nbody\n")
    assert run("anonymize", file, *options).returncode == 0
    file.write_bytes(b"no mail\n")

    ran = run("anonymize", file, *options)

    assert ran.returncode == 3
    assert "a.eml: is of an earlier run, and was not written again" in ran.stderr


@pytest.mark.slow
def test_sexes_are_flipped_in_half_of_the_files(tmp_path: Path, key: Path, run: Run) -> None:
    """Names, titles and pronouns of a file change together, where names are replaced."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for number in range(12):
        text = "Mr. Harold Whitcomb, a 61-year-old male, came with his wife. He was well.\n"
        (folder / f"{number}.txt").write_text(text)
    flipped = ("--set", "GENDER.answers=flipped", "--key-file", key)

    ran = run("anonymize", folder, "-o", out, "--names", *flipped)
    without = run("anonymize", folder, "-o", tmp_path / "no_names", *flipped)

    assert "sexes are flipped only" in without.stderr
    assert "sexes are flipped only" not in ran.stderr
    texts = [file.read_text() for file in out.iterdir()]
    told = [re.search(r"(Ms|Mr)\. .* (fe)?male, came with (her|his) [\w -]+\. (S?)[Hh]e", one)
            for one in texts]  # fmt: skip
    ways = {one.groups() for one in told if one}
    assert all(told)
    assert ways == {("Ms", "fe", "her", "S"), ("Mr", None, "his", "")}
    assert all(
        "Mr. Harold Whitcomb" in file.read_text() for file in (tmp_path / "no_names").iterdir()
    )


def test_the_report_says_why_a_sex_is_not_flipped(tmp_path: Path, key: Path, run: Run) -> None:
    """A text that would contradict itself has its reason in the report, others have none."""
    folder, report = tmp_path / "in", tmp_path / "report.jsonl"
    folder.mkdir()
    (folder / "a.txt").write_text("Mrs. Carol Whitcomb gave birth in May 1961. She was well.\n")
    (folder / "b.txt").write_text("Mrs. Carol Whitcomb was seen in May 1961. She was well.\n")
    given = ("--names", "--set", "GENDER.answers=flipped", "--key-file", key, "--report", report)

    run("anonymize", folder, "-o", tmp_path / "out", *given)

    lines = [json.loads(line) for line in report.read_text().splitlines()]
    reasons = {Path(line["file"]).name: line.get("not_turned") for line in lines}
    assert reasons == {"a.txt": "it tells what one sex has", "b.txt": None}
