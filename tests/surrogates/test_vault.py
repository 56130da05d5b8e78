"""The vault restores originals for holders of the key, and for nobody else."""

import multiprocessing
import os
import signal
import warnings
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from presidio_cdip.errors import KeyUnusable, VaultError
from presidio_cdip.surrogates.vault import Kept, Vault, VaultWarning

KEY = b"an owner's key of some length"
TEXT = "DATE OF BIRTH: Mar. 24, 1963"
KEPT = [Kept(15, 28, "DATE_OF_BIRTH", "Nov. 9, 1965")]
ORIGINAL = "DATE OF BIRTH: Nov. 9, 1965"


def test_what_was_kept_is_restored_by_another_process_later(tmp_path: Path) -> None:
    """A vault that is opened again restores what was added before."""
    Vault(tmp_path / "vault", KEY).add(TEXT, KEPT)

    restored = Vault(tmp_path / "vault", KEY).restore(TEXT)

    assert restored == ORIGINAL


def test_the_file_shows_neither_original_nor_surrogate(tmp_path: Path) -> None:
    """The file without its key discloses no word and no name of any document."""
    Vault(tmp_path / "vault", KEY).add(TEXT, KEPT, document="letters/ward.txt")

    content = (tmp_path / "vault").read_bytes()

    # Words of five characters and more: random characters spell shorter ones by chance.
    words = (b"9, 1965", b"24, 1963", b"BIRTH", b"letters", b"ward.txt", b"DATE_OF_BIRTH")
    assert not any(word in content for word in words)
    assert (tmp_path / "vault").stat().st_mode & 0o077 == 0


def test_a_wrong_key_fails_loudly(tmp_path: Path) -> None:
    """Another key opens nothing, and adds nothing."""
    Vault(tmp_path / "vault", KEY).add(TEXT, KEPT)
    before = (tmp_path / "vault").read_bytes()

    with pytest.raises(VaultError, match="this key does not open it"):
        Vault(tmp_path / "vault", b"another key of the same length!")
    assert (tmp_path / "vault").read_bytes() == before


def test_a_short_key_is_refused(tmp_path: Path) -> None:
    """A vault is no stronger than its key."""
    with pytest.raises(KeyUnusable):
        Vault(tmp_path / "vault", b"short")


def test_what_is_no_vault_is_not_written_to(tmp_path: Path) -> None:
    """A file that somebody named by mistake stays as it is."""
    file = tmp_path / "letter.txt"
    file.write_text("Dear Sir\n")

    with pytest.raises(VaultError, match="is no vault"):
        Vault(file, KEY)
    assert file.read_text() == "Dear Sir\n"


def test_a_text_that_was_changed_is_not_restored(tmp_path: Path) -> None:
    """Offsets hold for the text that was handed out, and for no other."""
    vault = Vault(tmp_path / "vault", KEY)
    vault.add(TEXT, KEPT)

    with pytest.raises(VaultError, match="holds nothing of this text"):
        vault.restore(TEXT + "!")


def test_equal_texts_of_two_documents_are_told_apart_by_name(tmp_path: Path) -> None:
    """Two originals that became one text are restored by the document's name, or not at all."""
    vault = Vault(tmp_path / "vault", KEY)
    vault.add("Sex: F", [Kept(5, 6, "GENDER", "M")], "a.txt")
    vault.add("Sex: F", [Kept(5, 6, "GENDER", "F")], "b.txt")

    assert vault.restore("Sex: F", "a.txt") == "Sex: M"
    assert vault.restore("Sex: F", "b.txt") == "Sex: F"
    with pytest.raises(VaultError, match="several originals"):
        vault.restore("Sex: F")


def test_a_line_that_a_killed_process_left_is_dropped(tmp_path: Path) -> None:
    """An unfinished line hides nothing that was kept before or after it."""
    vault = Vault(tmp_path / "vault", KEY)
    vault.add(TEXT, KEPT)
    with (tmp_path / "vault").open("ab") as file:
        file.write(b"gAAAAA-half-a-line")

    with pytest.warns(VaultWarning, match="last line is unfinished"):
        restored = vault.restore(TEXT)
    vault.add("Sex: F", [Kept(5, 6, "GENDER", "M")])

    assert restored == ORIGINAL
    assert Vault(tmp_path / "vault", KEY).restore("Sex: F") == "Sex: M"


FIRST = 3  # index of the first document's line: its number in the file is one more


def filled(file: Path, texts: int = 5) -> list[bytes]:
    """Add texts 0, 1, … of documents of these names to a vault, and return the file's lines."""
    vault = Vault(file, KEY)
    for number in range(texts):
        vault.add(f"text {number}: F", [Kept(8, 9, "GENDER", f"M{number}")], f"{number}.txt")
    return file.read_bytes().splitlines(keepends=True)


def restorable(file: Path, texts: int = 5) -> tuple[set[int], list[str]]:
    """Return which of the texts are restored, all of them rightly, and what was warned of."""
    found = set()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        vault = Vault(file, KEY)
        for number in range(texts):
            try:
                restored = vault.restore(f"text {number}: F")
            except VaultError:
                continue
            assert restored == f"text {number}: M{number}"
            found.add(number)
    return found, [str(one.message).removeprefix(f"vault {file}: ") for one in said]


def test_a_whole_vault_warns_of_nothing(tmp_path: Path) -> None:
    """Nothing is said of a vault that nobody damaged."""
    filled(tmp_path / "vault")

    assert restorable(tmp_path / "vault") == ({0, 1, 2, 3, 4}, [])


@pytest.mark.parametrize(
    ("order", "left", "said"),
    [
        ([0, 1, 3, 4], {0, 1, 3, 4}, ["line 6 is missing"]),
        ([0, 4], {0, 4}, ["lines 5-7 are missing"]),
        ([0, 1, 2, 3], {0, 1, 2, 3}, ["line 8 is missing"]),
        ([], set(), ["lines 4-8 are missing"]),
        ([0, 1, 2, 3, 4, 1], {0, 1, 2, 3, 4}, ["line 9 is a copy of line 5 and is ignored"]),
        (
            [0, 2, 1, 3, 4],
            {0, 1, 2, 3, 4},
            ["line 5 is not in its place, but is used"],
        ),
    ],
    ids=["middle", "run", "last", "all", "replayed", "swapped"],
)
def test_lines_that_were_removed_copied_or_moved_are_reported(
    tmp_path: Path, order: list[int], left: set[int], said: list[str]
) -> None:
    """The warning names the line; every other text is restored, and adding goes on."""
    file = tmp_path / "vault"
    lines = filled(file)
    file.write_bytes(b"".join([*lines[:FIRST], *(lines[FIRST + number] for number in order)]))

    assert restorable(file) == (left, said)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Vault(file, KEY).add("another text: F", [Kept(14, 15, "GENDER", "M")])
    assert restorable(file) == (left, said)
    with pytest.warns(VaultWarning, match=said[0]):
        assert Vault(file, KEY).restore("another text: F") == "another text: M"


def test_an_old_line_does_not_bring_back_an_older_original(tmp_path: Path) -> None:
    """Neither appended again, nor by removing the newer one: then restoring fails."""
    file = tmp_path / "vault"
    vault = Vault(file, KEY)
    vault.add("Sex: <GENDER>", [Kept(5, 13, "GENDER", "M")], "a.txt")
    vault.add("Sex: <GENDER>", [Kept(5, 13, "GENDER", "F")], "a.txt")
    *head, old, new = file.read_bytes().splitlines(keepends=True)

    file.write_bytes(b"".join([*head, old, new, old]))
    with pytest.warns(VaultWarning, match="line 6 is a copy of line 4"):
        assert Vault(file, KEY).restore("Sex: <GENDER>", "a.txt") == "Sex: F"
    file.write_bytes(b"".join([*head, old]))
    for document in ("a.txt", None):
        with (
            pytest.warns(VaultWarning, match="line 5 is missing"),
            pytest.raises(VaultError, match="line 5, which holds this text's originals"),
        ):
            Vault(file, KEY).restore("Sex: <GENDER>", document)


def test_a_line_of_another_copy_of_the_vault_is_ignored(tmp_path: Path) -> None:
    """Two copies that were added to separately cannot be mixed."""
    file = tmp_path / "vault"
    shared = b"".join(filled(file, 1))
    Vault(file, KEY).add("text 1: F", [Kept(8, 9, "GENDER", "X")], "1.txt")
    stranger = file.read_bytes().splitlines(keepends=True)[-1]
    file.write_bytes(shared)
    vault = Vault(file, KEY)
    vault.add("text 1: F", [Kept(8, 9, "GENDER", "M1")], "1.txt")
    vault.add("text 2: F", [Kept(8, 9, "GENDER", "M2")], "2.txt")
    lines = file.read_bytes().splitlines(keepends=True)

    file.write_bytes(b"".join([*lines[: FIRST + 1], stranger, lines[-1]]))

    found, said = restorable(file, 3)
    assert found == {0, 2}
    assert said == ["line 5 is of another copy of this vault and is ignored"]
    with (
        pytest.warns(VaultWarning),
        pytest.raises(VaultError, match="line 5, which holds this text's originals"),
    ):
        Vault(file, KEY).restore("text 1: F", "1.txt")


@pytest.mark.slow
@pytest.mark.parametrize("bit", [0, 3, 6])
def test_a_flipped_bit_costs_one_text_at_most(tmp_path: Path, bit: int) -> None:
    """Wherever it is in the file, something is reported, and at least two of three are restored."""
    file = tmp_path / "vault"
    content = b"".join(filled(file, 3))

    for at in range(bit, len(content), 7):
        damaged = bytearray(content)
        damaged[at] ^= 1 << bit
        file.write_bytes(damaged)
        found, said = restorable(file, 3)
        assert len(found) >= 2, at
        assert said or len(found) == 3, at  # some bits of base64 say nothing


def test_a_text_whose_line_is_damaged_names_it(tmp_path: Path) -> None:
    """It alone is not restored; without the line behind it, nothing says what it held."""
    file = tmp_path / "vault"
    lines = filled(file)
    lines[FIRST + 1] = lines[FIRST + 1][:100] + b"AAAA" + lines[FIRST + 1][104:]
    file.write_bytes(b"".join(lines))

    assert restorable(file) == ({0, 2, 3, 4}, ["line 5 is damaged"])
    with pytest.warns(VaultWarning), pytest.raises(VaultError, match="line 5, which holds"):
        Vault(file, KEY).restore("text 1: F")
    del lines[FIRST + 2]
    file.write_bytes(b"".join(lines))
    with pytest.warns(VaultWarning), pytest.raises(VaultError, match=r"unless .* \(lines 5\)"):
        Vault(file, KEY).restore("text 1: F")


def test_what_was_cut_off_is_reported_for_ever(tmp_path: Path) -> None:
    """The end of a line that was cut off is no unfinished line: adding hides nothing of it."""
    file = tmp_path / "vault"
    filled(file)
    os.truncate(file, file.stat().st_size - 150)

    with pytest.warns(VaultWarning, match="shorter than it was"):
        Vault(file, KEY).add("text 5: F", [Kept(8, 9, "GENDER", "M5")], "5.txt")

    assert restorable(file, 6) == ({0, 1, 2, 3, 5}, ["line 8 is damaged"])


def test_a_damaged_end_mark_is_reported_for_ever(tmp_path: Path) -> None:
    """Adding repairs it; the line that was added then says that earlier ones may be missing."""
    file = tmp_path / "vault"
    lines = filled(file)
    slots = [slot[:40] + b"AAAA" + slot[44:] for slot in lines[2].split(b" ")]
    file.write_bytes(b"".join([*lines[:2], b" ".join(slots), *lines[FIRST:-1]]))

    found, said = restorable(file)
    with pytest.warns(VaultWarning, match="line 3, the end mark, is damaged"):
        Vault(file, KEY).add("text 4: F", [Kept(8, 9, "GENDER", "M4")], "4.txt")

    assert found == {0, 1, 2, 3}
    assert "line 3, the end mark, is damaged" in said[0]
    found, said = restorable(file)
    assert found == {0, 1, 2, 3, 4}
    assert said == [
        "line 8 was added when the end mark was damaged: lines before it may be missing"
    ]


def test_a_missing_end_mark_is_not_written_over_a_line(tmp_path: Path) -> None:
    """Without its third line the vault is read as far as it goes, and added to no more."""
    file = tmp_path / "vault"
    lines = filled(file)
    file.write_bytes(b"".join([*lines[:2], *lines[FIRST:]]))
    before = file.read_bytes()

    with pytest.raises(VaultError, match="third line is damaged"):
        Vault(file, KEY).add("text 5: F", [Kept(8, 9, "GENDER", "M5")])

    assert file.read_bytes() == before
    assert restorable(file)[0] >= {2, 3, 4}


def test_a_vault_that_became_shorter_under_a_writer_is_reported(tmp_path: Path) -> None:
    """An older copy of the file is recognized by a process that knows the newer one."""
    file = tmp_path / "vault"
    vault = Vault(file, KEY)
    vault.add("text 0: F", [Kept(8, 9, "GENDER", "M0")], "0.txt")
    older = file.read_bytes()
    vault.add("text 1: F", [Kept(8, 9, "GENDER", "M1")], "1.txt")
    file.write_bytes(older)

    vault.add("text 2: F", [Kept(8, 9, "GENDER", "M2")], "2.txt")

    assert restorable(file, 3) == ({0, 2}, ["line 5 is missing"])


@pytest.mark.skipif(os.name != "posix", reason="file modes")
@pytest.mark.parametrize("mode", [0o602, 0o620, 0o666])
def test_a_vault_that_others_may_change_is_warned_of(tmp_path: Path, mode: int) -> None:
    """It still works, and the warning says what to do."""
    filled(tmp_path / "vault", 1)
    (tmp_path / "vault").chmod(mode)

    found, said = restorable(tmp_path / "vault", 1)

    assert found == {0}
    assert said == ["others than its owner may change it; chmod 600 repairs that"]


def test_a_vault_of_another_version_is_named_so(tmp_path: Path) -> None:
    """It stays as it is."""
    file = tmp_path / "vault"
    content = b"presidio-cdip-vault-1 c2FsdHNhbHRzYWx0c2FsdA== gAAAAA\n"
    file.write_bytes(content)

    with pytest.raises(VaultError, match="is of another version"):
        Vault(file, KEY)
    assert file.read_bytes() == content


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A vault in a folder that is not there names the file."""
    with pytest.raises(VaultError, match="No such file"):
        Vault(tmp_path / "nowhere" / "vault", KEY)


def _add_many(file: str, name: str) -> None:
    vault = Vault(file, KEY)
    for number in range(40):
        vault.add(f"{name} {number}", [Kept(0, len(name), "PERSON", name[::-1])])


def test_two_processes_add_to_one_vault(tmp_path: Path) -> None:
    """All texts that several processes add at the same time are kept."""
    file = str(tmp_path / "vault")
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_add_many, args=(file, name)) for name in ("hanna", "otto9")]

    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    vault = Vault(file, KEY)
    assert [vault.restore(f"hanna {number}") for number in range(40)] == [
        f"annah {number}" for number in range(40)
    ]
    assert all(vault.restore(f"otto9 {number}").startswith("9otto") for number in range(40))


def _add_for_ever(file: str, pipe: Connection) -> None:
    vault = Vault(file, KEY)
    for number in count():
        vault.add(f"{os.getpid()} {number}", [Kept(0, 1, "PERSON", "x" * 5000)])
        pipe.send(f"{os.getpid()} {number}")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_process_loses_nothing_that_it_reported(tmp_path: Path) -> None:
    """Two processes add, one is killed; what either had added is there, and adding goes on."""
    file = str(tmp_path / "vault")
    Vault(file, KEY)
    fork = multiprocessing.get_context("fork")
    added: list[str] = []

    for delay in range(6):
        ways = [fork.Pipe(duplex=False) for _ in range(2)]
        workers = [fork.Process(target=_add_for_ever, args=(file, end)) for _, end in ways]
        for worker in workers:
            worker.start()
        for (out, _), worker in zip(ways, workers, strict=True):
            added += (out.recv() for _ in range(4 + delay))
            assert worker.pid
            os.kill(worker.pid, signal.SIGKILL)
            worker.join(30)
            while out.poll():
                added.append(out.recv())

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "vault .* unfinished", VaultWarning)
        vault = Vault(file, KEY)
        assert all(vault.restore(text) == "x" * 5000 + text[1:] for text in added)


def _add_until_the_limit(file: str) -> None:
    import resource

    vault = Vault(file, KEY)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    limit = Path(file).stat().st_size + 1000
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    vault.add("text 1: F", [Kept(8, 9, "GENDER", "M" * 5000)], "1.txt")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_process_killed_within_a_line_leaves_it_to_the_next(tmp_path: Path) -> None:
    """The torn line is reported, the rest restored, and the next text takes its place."""
    file = tmp_path / "vault"
    filled(file, 1)
    size = file.stat().st_size
    child = multiprocessing.get_context("fork").Process(
        target=_add_until_the_limit, args=(str(file),)
    )

    child.start()
    child.join(30)
    torn = file.stat().st_size

    assert child.exitcode == -signal.SIGXFSZ
    assert torn == size + 1000
    assert restorable(file) == (
        {0},
        ["the last line is unfinished and is ignored; the next one takes its place"],
    )
    Vault(file, KEY).add("text 1: F", [Kept(8, 9, "GENDER", "M1")], "1.txt")
    assert restorable(file) == ({0, 1}, [])


def _add_unmarked(file: str) -> None:
    vault = Vault(file, KEY)
    pytest.MonkeyPatch().setattr(os, "fsync", lambda _: os.kill(os.getpid(), signal.SIGKILL))
    vault.add("text 1: F", [Kept(8, 9, "GENDER", "M1")], "1.txt")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_process_killed_before_it_marked_the_end_does_no_harm(tmp_path: Path) -> None:
    """Its line is whole: it is used, and the next one follows it."""
    file = tmp_path / "vault"
    filled(file, 1)
    child = multiprocessing.get_context("fork").Process(target=_add_unmarked, args=(str(file),))

    child.start()
    child.join(30)

    assert child.exitcode == -signal.SIGKILL
    assert restorable(file) == ({0, 1}, [])
    Vault(file, KEY).add("text 2: F", [Kept(8, 9, "GENDER", "M2")], "2.txt")
    assert restorable(file) == ({0, 1, 2}, [])


def test_a_vault_in_a_fork_is_the_same(tmp_path: Path) -> None:
    """A child that was forked adds to its parent's vault."""
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    vault = Vault(tmp_path / "vault", KEY)
    fork = multiprocessing.get_context("fork")
    child = fork.Process(target=vault.add, args=(TEXT, KEPT))

    child.start()
    child.join(30)

    assert vault.restore(TEXT) == ORIGINAL


def test_a_vault_that_was_replaced_is_not_added_to(tmp_path: Path) -> None:
    """If the file goes, or another takes its place, adding fails rather than losing originals."""
    vault = Vault(tmp_path / "vault", KEY)
    (tmp_path / "vault").unlink()

    with pytest.raises(VaultError, match="No such file"):
        vault.add(TEXT, KEPT)
    Vault(tmp_path / "vault", KEY)
    with pytest.raises(VaultError, match="has become another file"):
        vault.add(TEXT, KEPT)


def test_a_maker_that_was_killed_leaves_no_useless_vault(tmp_path: Path) -> None:
    """A first line that was not finished is written again."""
    (tmp_path / "vault").write_bytes(b"presidio-cdip-va")

    vault = Vault(tmp_path / "vault", KEY)
    vault.add(TEXT, KEPT)

    assert Vault(tmp_path / "vault", KEY).restore(TEXT) == ORIGINAL


def test_the_last_of_a_name_holds(tmp_path: Path) -> None:
    """A document that was edited and anonymized again is restored as it was last."""
    vault = Vault(tmp_path / "vault", KEY)
    vault.add("Sex: <GENDER>", [Kept(5, 13, "GENDER", "M")], "a.txt")
    vault.add("Sex: <GENDER>", [Kept(5, 13, "GENDER", "F")], "a.txt")

    assert vault.restore("Sex: <GENDER>", "a.txt") == vault.restore("Sex: <GENDER>") == "Sex: F"
    assert vault.knows("a.txt")
    assert not vault.knows("b.txt")
    with pytest.raises(VaultError, match="holds nothing"):
        vault.restore("Sex: <GENDER>", "b.txt")


def test_what_is_kept_shows_itself_to_nobody() -> None:
    """The repr of a record has no original in it."""
    assert "1965" not in repr(KEPT)
