"""JSON is read into its strings and labelled numbers, and written back byte for byte but these."""

import base64
import hashlib
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.documents.formats import format_of, open_document
from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.documents.texts import data_uris, structured
from presidio_cdip.errors import TextTooLong, UnreadableInput
from tests.growth import patience

SSN = "271-24-0538"
ODD = b'\xef\xbb\xbf{ "a" :"J\\u00f6rg" ,\r\n"a": 1.50e+3,"b":[ ] , "n":"J\xc3\xb6rg"}\r\n'
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def read(data: bytes, name: str = "a.json", **options: bool) -> Document:
    return structured.opened(data, name, Settings(**options))  # type: ignore[arg-type]


def replaced(data: bytes, old: str, new: str, name: str = "a.json") -> bytes:
    """Write with *new* in the place of each text that is *old*."""
    document = read(data, name)
    return document.write(
        {
            number: [Edit(at, at + len(old), new, "US_SSN")]
            for number, one in enumerate(document.segments)
            if (at := one.text.find(old)) >= 0
        },
        {},
    )


@pytest.mark.slow
@given(values, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_untouched_is_the_same(value: object, ascii_only: bool, indent: int | str | None) -> None:
    """Whatever Python writes is read, and written without edits as it was."""
    data = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "replace")

    assert read(data).write({}, {}) == data


def test_only_the_edit_changes() -> None:
    """Order, blanks, number formats, duplicate keys, escapes, mark and line ends stay."""
    written = replaced(ODD, "Jörg", 'A"ö')

    assert written == ODD.replace(b"J\\u00f6rg", b'A\\"\xc3\xb6').replace(
        b"J\xc3\xb6rg", b'A\\"\xc3\xb6'
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig"])
def test_encoding_stays(encoding: str) -> None:
    """Also that of other widths."""
    data = '{"name": "Jörg", "city": "Köln"}'.encode(encoding)

    assert replaced(data, "Jörg", "Änne") == '{"name": "Änne", "city": "Köln"}'.encode(encoding)


def test_paths_and_labels() -> None:
    """A path shows names of keys, and no key that may be a value; labels are words."""
    data = json.dumps({"patient": {"dateOfBirth": "1950-01-02", "phones": [{SSN: "a"}]}}).encode()

    document = read(data)

    assert [one.place.where for one in document.segments] == [
        "$.patient.dateOfBirth", "$.patient.phones[0][key 1]"
    ]  # fmt: skip
    assert document.segments[0].label == "patient date of birth"
    assert len(document.unread) == 1
    assert SSN not in str(document.unread)


def test_numbers_with_a_label_are_read() -> None:
    """They stay numbers where the new text is one."""
    data = b'{"ssn": 271240538, "ratio": 0.123456789, "age": 41}'

    assert [one.text for one in read(data).segments] == ["271240538", "41"]
    assert replaced(data, "271240538", "900000001") == data.replace(b"271240538", b"900000001")
    assert replaced(data, "41", "40-44") == data.replace(b"41", b'"40-44"')
    assert replaced(data, "271240538", "012") == data.replace(b"271240538", b'"012"')


def test_json_in_strings_is_read() -> None:
    """Its own escapes, and those of the string around it, hold."""
    inner = json.dumps({"ssn": SSN, "note": 'said "no"'})
    data = json.dumps({"payload": json.dumps({"inner": inner})}).encode()

    written = json.loads(replaced(data, SSN, 'x"\\é'))

    assert json.loads(json.loads(written["payload"])["inner"]) == {
        "ssn": 'x"\\é', "note": 'said "no"'
    }  # fmt: skip


def test_files_in_strings_are_embedded() -> None:
    """What replaces one is written in base64; a removed one leaves nothing."""
    data = b'{"photo": "data:image/png;base64,iVBORw0KGgo=", "x": "y"}'

    assert [one.data for one in read(data).embedded] == [b"\x89PNG\r\n\x1a\n"]
    assert read(data).write({}, {0: b"abc"}) == data.replace(b"iVBORw0KGgo=", b"YWJj")
    assert read(data).write({}, {0: None}) == data.replace(b"iVBORw0KGgo=", b"")


def test_keys_are_read_when_asked() -> None:
    """Else they stay; they come behind the values, whose context they would part."""
    data = json.dumps({SSN: "a"}).encode()

    document = read(data, json_keys=True)

    assert [one.text for one in document.segments] == ["a", SSN]
    assert document.write({1: [Edit(0, 11, "x", "US_SSN")]}, {}) == b'{"x": "a"}'


def test_lines_of_json() -> None:
    """Each line is a document of its own; blank lines stay."""
    data = b'{"ssn": "271-24-0538"}\r\n\r\n{"a": 1}\n["271-24-0538"]'

    document = read(data, "a.jsonl")

    assert [one.place.where for one in document.segments] == ["line 1: $.ssn", "line 4: $[0]"]
    assert replaced(data, SSN, "x", "a.jsonl") == data.replace(SSN.encode(), b"x")


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"{", "line 1, column 2"),
        (b'{"a": 1,\n "b" 2}', "line 2, column 2"),
        (b"[1,]", "line 1, column 4"),
        (b"[01]", "line 1, column 2"),
        (b"[1] [2]", "line 1, column 5"),
        (b"{]", "line 1, column 2"),
        (b'"a\nb"', "line 1, column 1"),
    ],
)
def test_invalid_is_refused(data: bytes, where: str) -> None:
    """The message says where, shows no text, and what would help."""
    with pytest.raises(UnreadableInput, match=where) as refused:
        read(data)

    assert "rename it .txt" in str(refused.value)


@pytest.mark.parametrize(("left", "right"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_deep_nesting_is_read(left: bytes, right: bytes) -> None:
    """Without recursion, and with a path that stays short."""
    data = left * 30_000 + b'"x"' + right * 30_000

    (segment,) = read(data).segments

    assert segment.text == "x"
    assert len(segment.place.where) < 1000
    assert any("x" in text for _, text in structured.extracted(data, "a.json"))


def test_too_long_is_refused() -> None:
    """Before it is read."""
    with pytest.raises(TextTooLong):
        structured.opened(b'["' + b"a" * 300 + b'"]', "a.json", Settings(max_characters=100))
    with pytest.raises(TextTooLong):
        structured.opened(b"[" + b" " * 5000 + b"]", "a.json", Settings(max_characters=100))


def test_extracted_undoes_escapes() -> None:
    """A value that was left in escapes is found."""
    data = json.dumps(["".join(f"\\u{ord(c):04x}" for c in SSN)]).replace("\\\\", "\\").encode()

    assert any(SSN in text for _, text in structured.extracted(data, "a.json"))


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("U1NOIDI3MS0yNC0wNTM4", b"SSN 271-24-0538"),
        ("Pz5-U1NOIDI3MS0yNC0wNTM4", b"?>~SSN 271-24-0538"),
        ("//5TAFMATgAgADIANwAxAA==", "\ufeffSSN 271".encode("utf-16-le")),
        ("data:text/plain,SSN%20271", b"SSN 271"),
        ("Bearer eyJhbGciOiJ4In0.eyJuIjoiSm8gTGVlIn0.c2ln", b'{"n":"Jo Lee"}'),
    ],
)
def test_strings_that_are_files_are_embedded(text: str, data: bytes) -> None:
    """In base64 of both alphabets, in addresses, in tokens; and written so again."""
    whole = json.dumps({"a": text}).encode()

    assert [one.data for one in read(whole).embedded] == [data]
    assert read(whole).write({}, {0: data}) == whole


@pytest.mark.parametrize(
    ("data", "noted"),
    [
        (b"\x84\xa4name\xb1Jonathan Smithson" + bytes(range(200, 240)), True),
        (zlib.compress(b"Jonathan Smithson, SSN 271-24-0538" * 3), True),
        (bytes(at * 37 % 256 for at in range(900)), True),
        (hashlib.sha512(b"key").digest(), False),
    ],
)
def test_unknown_data_is_reported(data: bytes, noted: bool) -> None:
    """Where words may be in it; keys and digests have none."""
    whole = json.dumps({"a": base64.b64encode(data).decode()}).encode()

    assert bool(read(whole).unread) == noted


def test_references_of_html_are_read() -> None:
    """A string may be a piece of HTML; new text is escaped in it."""
    data = b'{"a": "<p>J&ouml;rg &amp; Co</p>"}'

    assert read(data).segments[0].text == "<p>J\xf6rg & Co</p>"
    assert replaced(data, "J\xf6rg", "A<B") == data.replace(b"J&ouml;rg", b"A&lt;B")


@pytest.mark.parametrize("text", ["a" + " " * 400_000 + "!", "a" * 40 + "\n" * 400_000 + "!"])
def test_blanks_do_not_stall(text: str) -> None:
    """No expression goes back over the blanks in what begins like base64."""
    with patience():
        assert data_uris.bare(text) is None
        assert not data_uris.is_packed(text)


@pytest.mark.parametrize("end", ["", "\n", "=", "==\r\n"])
@pytest.mark.parametrize("line", ["\n", "\r\n", " \n  "])
def test_base64_of_lines_is_known(line: str, end: str) -> None:
    """Whatever its line ends, and how its last line ends."""
    assert data_uris.is_packed(line.join([base64.b64encode(b"Ann Lee, " * 6).decode()] * 2) + end)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a": "\\u0034"}', "json"),
        ('\ufeff\n[{"a": "\\u0034"},\n{}]\n', "json"),
        ('{"a": "x"}\n\n{"b": 1}\n', "json"),
        ('{"a": "x"}\nand so on\n', None),
        ("[Draft] of [1]", None),
        ("{name} is [412]", None),
        ("<!DOCTYPE html><p>&#52;", "html"),
        ("\ufeff\n<html><p>&#52;", "html"),
        ("<p>&#52;", None),
    ],
)
def test_bytes_tell_formats_of_text(text: str, kind: str | None) -> None:
    """Whatever the suffix is: their escapes would be read as letters."""
    data = text.encode()

    found = format_of(data, "a.txt")

    assert (found.name if found else None) == kind
    if found:
        assert open_document(data, "a.txt", found, Settings()).write({}, {}) == data


@pytest.mark.parametrize("names", [["name", "ssn"], [{"name": "name"}, {"name": "ssn"}]])
@pytest.mark.parametrize("is_first", [True, False])
def test_columns_beside_rows_are_labels(names: object, is_first: bool) -> None:
    """Of every row, wherever they stand in their object."""
    members = [("columns", names), ("data", [["A", 412739051], ["B", 7]])]
    data = json.dumps([{"x": dict(members if is_first else members[::-1])}]).encode()

    labels = {one.text: one.label for one in read(data).segments}

    assert labels["412739051"] == labels["7"] == "ssn"
    assert labels["A"] == "name"
