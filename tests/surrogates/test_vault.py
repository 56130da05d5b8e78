"""The vault: what was replaced comes back to who has the key, and to nobody else."""

import multiprocessing
import os
from pathlib import Path

import pytest

from presidio_cdip.errors import KeyUnusable, VaultError
from presidio_cdip.surrogates.vault import Kept, Vault

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
    """Who has the file and no key learns no word of any document, and no name of one."""
    Vault(tmp_path / "vault", KEY).add(TEXT, KEPT, document="letters/ward.txt")

    content = (tmp_path / "vault").read_bytes()

    assert not any(word in content for word in (b"1965", b"Nov", b"1963", b"BIRTH", b"ward"))
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

    restored = vault.restore(TEXT)
    vault.add("Sex: F", [Kept(5, 6, "GENDER", "M")])

    assert restored == ORIGINAL
    assert Vault(tmp_path / "vault", KEY).restore("Sex: F") == "Sex: M"


def test_a_damaged_line_is_said(tmp_path: Path) -> None:
    """A vault whose middle was changed does not pass as whole."""
    vault = Vault(tmp_path / "vault", KEY)
    vault.add(TEXT, KEPT)
    head, line, end = (tmp_path / "vault").read_bytes().split(b"\n")
    (tmp_path / "vault").write_bytes(b"\n".join([head, line[:-9] + b"AAAAAAAA=", end]))

    with pytest.raises(VaultError, match="is damaged"):
        Vault(tmp_path / "vault", KEY).restore(TEXT)


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A vault in a folder that is not there names the file."""
    with pytest.raises(VaultError, match="No such file"):
        Vault(tmp_path / "nowhere" / "vault", KEY)


def _add_many(file: str, name: str) -> None:
    vault = Vault(file, KEY)
    for number in range(40):
        vault.add(f"{name} {number}", [Kept(0, len(name), "PERSON", name[::-1])])


def test_two_processes_add_to_one_vault(tmp_path: Path) -> None:
    """What several processes add at a time is all there."""
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
    """A first line that was not finished is written anew."""
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
