"""Text is read from runs and attributes as tables of names say, and written back to them."""

from lxml import etree

from presidio_cdip.documents.office.passages import Reader, Runs, Vocabulary
from presidio_cdip.documents.segments import Edit

LETTER = Vocabulary(
    paragraphs=frozenset(["p"]),
    runs=frozenset(["t"]),
    characters={"br": "\n", "tab": "\t", "hyphen": "-"},
    streams={"del": "deleted"},
    tables={"table": ("row", "cell")},
    readable=frozenset(["author", "initials"]),
    labels={"author": "Author"},
    follows={"initials": "author"},
    ignored=frozenset(["*@id", "measure"]),
    packed={"zip": "a packed copy"},
    usual=frozenset(["heading"]),
)


def read(xml: str) -> Reader:
    """Read a part."""
    reader = Reader(LETTER)
    reader.read(etree.fromstring(xml), "part.xml")
    return reader


def rewritten(xml: str, *edits: Edit, hidden: bool = False) -> str:
    """Return *xml* with *edits* in its first passage."""
    reader = read(xml)
    passage = (reader.hidden if hidden else reader.body)[0]
    passage.rewrite(edits)
    root = passage.copies[0][0].element.getroottree().getroot()
    return etree.tostring(root, encoding="unicode")


def listed(passages: list[Runs]) -> list[tuple[str, str]]:
    """Return label and text of passages."""
    return [(one.segment.label, one.segment.text) for one in passages]


def test_runs_of_a_paragraph_are_one_text() -> None:
    """Tabs and line breaks are one character each."""
    reader = read("<d><p><t>Jo</t><x/><t>hn</t><br/><t>Smith</t><tab/><t>x</t></p></d>")

    assert listed(reader.body) == [("", "John\nSmith\tx")]


def test_edit_goes_to_the_first_run_it_touches() -> None:
    """The other runs lose what the edit covers, and keep the rest."""
    xml = "<p><t>Dear Jo</t><t>hn</t><t> Smith, we</t></p>"

    new = rewritten(xml, Edit(5, 15, "Mary Brown", "PERSON"))

    assert new == "<p><t>Dear Mary Brown</t><t/><t>, we</t></p>"


def test_several_edits_keep_their_places() -> None:
    """Their lengths differ from those of the old text."""
    xml = "<p><t>Ann and Bo</t><t>b and Cy</t></p>"

    new = rewritten(
        xml, Edit(0, 3, "Josephine", "X"), Edit(8, 11, "Al", "X"), Edit(16, 18, "", "X")
    )

    assert new == "<p><t>Josephine and Al</t><t> and </t></p>"


def test_line_breaks_stay_where_the_new_text_has_them_too() -> None:
    """Otherwise they go, and the new text stands in one run."""
    xml = "<p><t>9 Elm St</t><br/><t>Salem</t></p>"

    same = rewritten(xml, Edit(0, 14, "1 Oak Rd\nDover", "ADDRESS"))
    other = rewritten(xml, Edit(0, 14, "1 Oak Rd, Dover", "ADDRESS"))

    assert same == "<p><t>1 Oak Rd</t><br/><t>Dover</t></p>"
    assert other == "<p><t>1 Oak Rd, Dover</t><t/></p>"


def test_insertion_goes_to_a_run() -> None:
    """An edit without extent changes no other text."""
    new = rewritten("<p><t>see </t><tab/><t>it</t></p>", Edit(4, 4, "an ", "X"))

    assert new == "<p><t>see an </t><tab/><t>it</t></p>"


def test_deleted_text_is_a_text_of_its_own() -> None:
    """It does not part the words around it."""
    reader = read("<p><t>Jo</t><del><t>nathan</t></del><t>hn</t></p>")

    assert listed(reader.body) == [("", "John"), ("deleted", "nathan")]


def test_unknown_text_is_read() -> None:
    """Elements and attributes that no table names are read if a value could be in them."""
    reader = read(
        '<d id="John Smith" style="bold" who="John Smith" n="271240538" w="12">'
        "<unknown>Mary Brown</unknown> stray<!-- Ann Lee --><measure>1234567</measure></d>"
    )

    assert listed(reader.hidden) == [
        ("who", "John Smith"),
        ("n", "271240538"),
        ("unknown", "Mary Brown"),
        ("d", " stray"),
        ("", " Ann Lee "),
    ]


def test_names_that_programs_give_are_not_read() -> None:
    """A style named by a person is."""
    reader = read('<d><s name="Heading 2"/><s name="Heading of Smith"/></d>')

    assert listed(reader.hidden) == [("name", "Heading of Smith")]


def test_hidden_text_is_read_once_and_changed_everywhere() -> None:
    """A document has the same author a thousand times."""
    xml = '<d><c author="Ann Lee"/><c author="Ann Lee"/></d>'

    new = rewritten(xml, Edit(0, 7, "Eve Fox", "PERSON"), hidden=True)

    assert len(read(xml).hidden) == 1
    assert new == '<d><c author="Eve Fox"/><c author="Eve Fox"/></d>'


def test_initials_follow_the_name() -> None:
    """They are read only if they are not those of the name."""
    xml = '<d><c author="Ann Lee" initials="AL"/></d>'

    new = rewritten(xml, Edit(0, 7, "Eve Fox", "PERSON"), hidden=True)

    assert new == '<d><c author="Eve Fox" initials="EF"/></d>'
    assert len(read('<d><c author="Ann Lee" initials="Annie"/></d>').hidden) == 2


def test_dates_stay_dates() -> None:
    """The time stays; what is no date becomes a fixed one."""
    xml = '<d when="1984-03-12T10:00:00Z"/>'

    shifted = rewritten(xml, Edit(0, 10, "1983-01-30", "DATE"), hidden=True)
    broken = rewritten(xml, Edit(0, 10, "<DATE>", "DATE"), hidden=True)

    assert shifted == '<d when="1983-01-30T10:00:00Z"/>'
    assert broken == '<d when="2000-01-01T10:00:00Z"/>'


def test_cells_are_labelled_by_their_column() -> None:
    """Only the first paragraph of a cell is."""
    cell = "<cell><p><t>{}</t></p></cell>"
    row = "<row>" + cell * 2 + "</row>"
    rows = row.format("Name", "SSN") + row.format("Ann Lee", "271-24-0538</t></p><p><t>old")

    reader = read(f"<table>{rows}</table>")

    assert listed(reader.body)[2:] == [("Name", "Ann Lee"), ("SSN", "271-24-0538"), ("", "old")]


def test_packed_copies_are_noted() -> None:
    """They are letters that nobody reads."""
    reader = read('<d zip="UEsDBBQ 271240538"/>')

    assert not reader.hidden
    assert [what for _, _, what in reader.packed] == ["a packed copy"]


def test_control_characters_are_not_written() -> None:
    """XML cannot hold them."""
    assert rewritten("<p><t>a</t></p>", Edit(0, 1, "b\0c", "X")) == "<p><t>bc</t></p>"
