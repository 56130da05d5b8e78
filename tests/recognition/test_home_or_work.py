"""Of two addresses or telephones only the home's is found, however a paper says which it is."""

import re

import pytest

from presidio_cdip.recognition.finder import Finder, finder

_MARK = re.compile("⟦(.*?)⟧", re.DOTALL)


@pytest.fixture(scope="module")
def shipped() -> Finder:
    """The rules with the model."""
    return finder()


def homes(found_by: Finder, text: str) -> list[str]:
    """The home addresses and telephones found in *text*, in order."""
    spans = found_by.find(text, wanted=("HOME_ADDRESS", "HOME_PHONE_NUMBER"), min_score=0.4)
    return [text[span.start : span.end] for span in spans]


def check(found_by: Finder, marked: str) -> None:
    """Check that what stands in ⟦ ⟧ is found, and nothing else."""
    assert homes(found_by, _MARK.sub(r"\1", marked)) == _MARK.findall(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "Name             Residence           Place of business\n"
        "Novak, Jana      ⟦3 Birch Rd, Lima⟧    700 Front St, Lima\n"
        "Osei, Kofi       ⟦8 Cedar Ln, Lima⟧    12 Depot Rd, Lima\n",
        "Last,First,DOB,Home Phone,Office Phone\n"
        "Novak,Jana,3/4/1951,⟦612-555-0141⟧,612-555-0190\n"
        "Osei,Kofi,7/9/1948,⟦612-555-0142⟧,612-555-0191\n",
        "Member|Sex|Work address|Work tel.\n"
        "Jana Novak|F|700 Front St|612-555-0190\nKofi Osei|M|12 Depot Rd|612-555-0191\n",
        "name,address,phone,business_address,business_phone\n"
        '"Novak, Jana",⟦3 Birch Rd⟧,⟦555-0141⟧,700 Front St,555-0190\n'
        '"Osei, Kofi",⟦8 Cedar Ln⟧,⟦555-0142⟧,12 Depot Rd,555-0191\n',
        "Name            Home        Office      Ext.\n"
        "Novak, Jana     ⟦555-0141⟧    555-0190    12\n"
        "Osei, Kofi      ⟦555-0142⟧    555-0191    15\n",
    ],
)
def test_a_column_of_work_is_none_of_homes(shipped: Finder, marked: str) -> None:
    """The heading of a column says whose its addresses and telephones are."""
    check(shipped, marked)


@pytest.mark.parametrize(
    "text",
    [
        "Name           Position     Telephone\n"
        "Novak, Jana    Typist       555-0190\nOsei, Kofi     Chemist      555-0191\n",
        "Surgeon        Address              Phone\n"
        "Novak, Jana    700 Front St, Lima   555-0190\n"
        "Osei, Kofi     12 Depot Rd, Lima    555-0191\n",
        "Sales Representative\tTerritory\tPhone\n"
        "Jana Novak\tOhio\t612-555-0190\nKofi Osei\tIowa\t612-555-0191\n",
        "Clinic,Address,Phone\nMercy,700 Front St,612-555-0190\nGrace,12 Depot Rd,612-555-0191\n",
    ],
)
def test_lists_of_staff_and_professionals_are_of_work(shipped: Finder, text: str) -> None:
    """A position, an extension or a profession over the names says that they are at work."""
    assert homes(shipped, text) == []


@pytest.mark.parametrize(
    "marked",
    [
        "Title,First name,Last name,Street,City,Phone\n"
        "Mrs,Ruth,Hall,⟦3 Birch Rd⟧,⟦Lima⟧,⟦612-555-0141⟧\n"
        "Mr,Roy,Cole,⟦8 Cedar Ln⟧,⟦Lima⟧,⟦612-555-0142⟧\n",
        "Name          Occupation   Age   Address             Phone\n"
        "Novak, Jana   Typist       44    ⟦3 Birch Rd, Lima⟧    ⟦555-0141⟧\n"
        "Osei, Kofi    Chemist      38    ⟦8 Cedar Ln, Lima⟧    ⟦555-0142⟧\n",
        "Patient,Physician,Address,Phone\n"
        '"Novak, Jana",Dr. Roe,⟦3 Birch Rd⟧,⟦555-0141⟧\n'
        '"Osei, Kofi",Dr. Dahl,⟦8 Cedar Ln⟧,⟦555-0142⟧\n',
    ],
)
def test_lists_of_private_persons_are_of_homes(shipped: Finder, marked: str) -> None:
    """A person's title, occupation or physician in a list makes no list of staff."""
    check(shipped, marked)


@pytest.mark.parametrize(
    "marked",
    [
        "Phone ⟦419-555-0121⟧ (residence), 419-555-0188 (office)",
        "Tel. 419-555-0188 bus., ⟦419-555-0121⟧ res.",
        "Novak, Jana   555-0188 - work   ⟦555-0121⟧ - home\n",
        "She is at ⟦3 Birch Rd, Lima, OH⟧ [home] and 700 Front St, Lima, OH [work].",
        "700 Front St, Lima, OH 45801 (business address)\n"
        "⟦3 Birch Rd, Lima, OH 45802⟧ (home address)\n",
        "PHONE: (419) 555-O188 (0ffice)   ⟦(419) 555-O121⟧ (Home)\n",
        "Contact,Numbers\nJana Novak,⟦555-0121⟧ (h); 555-0188 (o)\n"
        "Kofi Osei,⟦555-0122⟧ (h); 555-0189 (o)\n",
        "Ask for her at 555-0188 during business hours.",
        # before the value, as it was
        "Telephone (home) ⟦555-0121⟧ (office) 555-0188",
        "Res. ⟦3 Birch Rd, Lima⟧; bus. 700 Front St, Lima",
        "Home ⟦555-0121⟧   Office 555-0188",
        "Home address: ⟦3 Birch Rd, Lima, OH⟧ (office closed on Monday)",
    ],
)
def test_a_label_stands_before_or_behind_its_value(shipped: Finder, marked: str) -> None:
    """The word behind a value is its own, unless the words of the line stand before theirs."""
    check(shipped, marked)


@pytest.mark.parametrize(
    "text",
    [
        "Solicitor: T. Novak   Address: 700 Front St, Lima   Telephone: 555-0190",
        "Telephone        555-0190\n",
        "Union: Local 12; Address: 700 Front St, Lima; Phone: 555-0190",
        "Plaintiff, by her attorneys, Novak and Osei, 700 Front Street, Lima, telephone 555-0190,\n"
        "moves this court for leave.",
    ],
)
def test_professionals_and_institutions_have_no_home(shipped: Finder, text: str) -> None:
    """The fields of an address behind one that names them are theirs."""
    assert homes(shipped, text) == []


@pytest.mark.parametrize(
    "marked",
    [
        "Applicant: Ruth Hall   Address: ⟦3 Birch Rd, Lima⟧   Telephone: ⟦555-0141⟧\n"
        "Attorney: T. Novak   Address: 700 Front St, Lima   Telephone: 555-0190",
        "Doctor: K. Osei\nPatient: Ruth Hall\nBorn: 3/4/1951\nAddress: ⟦3 Birch Rd, Lima⟧\n"
        "Phone: ⟦555-0141⟧\n",
        "Name: Ruth Hall   Occupation: Dentist   Address: ⟦3 Birch Rd, Lima⟧   Phone: ⟦555-0141⟧",
        "School: Lincoln   Pupil: Ann Hall   Home address: ⟦3 Birch Rd, Lima⟧",
        "Call me at home, ⟦555-0141⟧, during the day.",
    ],
)
def test_persons_beside_professionals_keep_their_homes(shipped: Finder, marked: str) -> None:
    """A field belongs to whom the nearest field before it names."""
    check(shipped, marked)


@pytest.mark.parametrize(
    "marked",
    [
        "Home address: ⟦12 Elm St⟧\nInvoice no 12 Elm St\n",
        "Residence: ⟦44 Maple Ave, Erie⟧\nAccount # 44 Maple Ave\n",
        "Home address: ⟦12 Elm St, Troy⟧\n\nINVOICE\nItem no. 12 Elm St    3.00\n",
        "Home address: ⟦12 Elm St, Troy⟧\nMail was sent to ⟦12 Elm St⟧ on Monday.\n",
    ],
)
def test_the_number_of_a_thing_is_no_house(shipped: Finder, marked: str) -> None:
    """A home address is found again, but not where its number is that of an invoice or an item."""
    check(shipped, marked)


@pytest.mark.parametrize(
    "field",
    [
        "BRANCH OF SERVICE: Army", "Hospital number: 30917", "Union: U.A.W.", "Clinic No.: 5512",
        "Attending physician: T. Novak, M.D.", "Parish: St. Brendan",
    ],
)  # fmt: skip
def test_a_field_among_a_persons_own_takes_no_home(shipped: Finder, field: str) -> None:
    """Behind a name, what comes after a school or a doctor is the person's again."""
    text = f"Name: Ruth Hall\n{field}\nAddress: 3 Birch Rd, Lima, OH\nTelephone: 555-0141\n"

    assert homes(shipped, text) == ["3 Birch Rd, Lima, OH", "555-0141"]


@pytest.mark.parametrize(
    "marked",
    [
        "Ann Cole,⟦14 Elm Street Dayton⟧,home ⟦937-555-0144⟧,F,34",
        "Home phone: ⟦937-555-0144⟧ W/F 34",
        "Home phone: ⟦937-555-0144⟧ (days)",
        "The victim, a bank manager, Alice Reed, ⟦42 Oak Lane, Dayton, Ohio⟧, was struck at home.",
        "Case worker: J. Pike\nAddress: ⟦12 Elm St, Troy⟧\nClient lives with her mother",
    ],
)
def test_what_stands_beside_a_home_does_not_take_it(shipped: Finder, marked: str) -> None:
    """A sex, a race, hours, a profession of who lives there, or whose client it is."""
    check(shipped, marked)
