"""Faiths, descents, nationalities and ties agree with what the page goes on to say of them."""

import re

import pytest

from tests.surrogates.values.test_told import surrogates


@pytest.mark.parametrize(
    ("entity", "text", "pattern"),
    [
        ("RELIGION", "Although an ⟦infidel⟧ he sings well.",
         "agnostic|atheist|freethinker|unbeliever|rationalist|secularist"),
        ("RELIGION", "She is ⟦treasurer of the congregation⟧ again.",
         "(secretary|trustee|caretaker|chairman|clerk) of the congregation"),
        ("RELIGION", "They are ⟦Jehovah's Witnesses⟧ and accept no transfusion.",
         "Jehovah's Witnesses"),
        ("RELIGION", "I affirm, being a ⟦Quaker⟧.",
         "Mennonite|Moravian|Christadelphian|Jehovah's Witness"),
        ("RELIGION", "He is a ⟦Methodist steward⟧ at Leigh.",
         "(Presbyterian|Baptist|Lutheran|Congregational|Methodist|Moravian) (lay )?\\w+"),
        ("RELIGION", "He is an ⟦elder of the ZCC⟧.", "(?!.*(Temple|Congregation )).*Church"),
        ("RELIGION", "Her uncle was ⟦Knights of Malta⟧ till he died.",
         "(?!.*(Sisters|Daughters|Ursulines|Nuns)).+"),
        ("RELIGION", "One aunt is ⟦in a convent⟧ at Sligo.",
         "in an? (priory|abbey|novitiate|monastery)"),
        ("RELIGION", "Mr. Prout, who ⟦plays the organ⟧ on Sundays.",
         "(?!.*(blood|pork|Sabbath)).*(choir|school|lesson|bell|collection|altar|books)"),
        ("RELIGION", "Mass at St. Olaf's. She was a ⟦member of St. Olaf's Catholic parish⟧.",
         "member of St. (?!Olaf)\\w+('s)? Catholic parish"),
        ("MARITAL_STATUS", "Then my husband ⟦divorced⟧ me at Reno.",
         "(deserted|left|walked out on|abandoned)"),
        ("MARITAL_STATUS", "Day 2, baby feeds. ⟦Husband⟧ away on the boats.",
         "Boyfriend|Partner|Fiancé|Brother|Father"),
        ("ETHNIC_ORIGIN", "Enrolled ⟦Northern Arapaho⟧, his uncle drove him.",
         "(?!.*Arapaho)[A-Z]\\w+( [A-Z]\\w+)?"),
        ("ETHNIC_ORIGIN", "The driver is a ⟦Szekely-Vlach⟧ from the hills.",
         "German|Hungarian|Czech|Slovak|Greek|Lithuanian|Norwegian|Croatian|Swede|Finn|Dane|Pole"
         "|Scot|Cuban|Mexican"),
        ("NATIONALITY", "The Minister ordered his ⟦deportation⟧.",
         "detention|internment|transfer|exclusion|release"),
        ("SEXUALITY", "Since May I have been ⟦living with Esteban⟧ here.",
         "((going (out|about)|lodging|sharing a flat|keeping house) with|engaged to)"
         " (?!Esteban)\\w+"),
        ("SEXUALITY", "The pair were ⟦married from her house⟧ in May.",
         "(?!(moved|carried|kept|lived|slept|went)\\b).+"),
        ("SEXUALITY", "Clinic note. She was ⟦assigned male at birth⟧ in 1980.",
         ".*(intersex|uncertain|indeterminate|ambiguous).*"),
        ("SEXUALITY", "Their intimate life is said to be ⟦quite satisfactory⟧.",
         ".*(affectionate|strained|cool|frequent|improving|better|regular|happy).*"),
        ("RELIGION", "Dr. Kerr, P.P., came. She is in the ⟦Legion of Mary⟧ here.",
         "(Third Order|Sodality|Children of Mary|.*Society|.*Confraternity.*|.*Prayer)"),
        ("RELIGION", "They were ⟦baptized at Holy Rosary⟧ in Gary.",
         "baptized at (?!Holy Rosary)(Holy|Immaculate|Sacred|Blessed|Assumption|Our Lady).*"),
        ("RELIGION", "I was brought up ⟦Chapel⟧ but left it.",
         "Baptist|Salvation Army|Methodist|Plymouth Brethren|Congregational"),
        ("MARITAL_STATUS", "Married [X] Yes [ ] No   Dependents: ⟦wife⟧ and two", "wife"),
        ("MARITAL_STATUS", "Marital status: ⟦De facto⟧",
         "Married|Single|Separated|Divorced|Widowed"),
        ("MARITAL_STATUS", "Seen at Kew, 1951. She is ⟦never married⟧.",
         "never (wed again|divorced|left home|settled down)"),
        ("MARITAL_STATUS", "The two are ⟦getting engaged⟧ in May.",
         "(?!.*(divorc|separat|split|break)).+"),
        ("MARITAL_STATUS", "In all there were ⟦twelve grandchildren⟧.",
         "(nine|ten|eleven|thirteen|fourteen) grandchildren"),
        ("MARITAL_STATUS", "Tralee, Co. Kerry, 1948. Old Ned, 81, ⟦bachelor⟧, lame.",
         "(separated|married) man|widower"),
        ("POLITICAL_OPINION", "London, 1937. He is a ⟦Labour man⟧ in all things.",
         "Liberal|Tory|Socialist|Conservative"),
        ("POLITICAL_OPINION", "Tipperary, 1933. They are all for ⟦Cosgrave⟧ there.",
         "de Valera|O'Duffy|Norton|Mulcahy|Larkin|MacDermot"),
        ("POLITICAL_OPINION", "Old Mr. Tarn, 88, ⟦founder member⟧, has died.",
         "(life|honorary) member|former (treasurer|delegate)|past chairman"),
        ("POLITICAL_OPINION", "Ohio canvass, 2008. Elm St, ⟦strong Novak⟧, retired.",
         "strong (?!Novak)[A-Z][a-z]+"),
        ("POLITICAL_OPINION", "Her husband ⟦was one of its organisers⟧ in Natal.",
         "was one of its [a-z ]+s"),
    ],
)  # fmt: skip
def test_a_value_agrees_with_its_page(entity: str, text: str, pattern: str) -> None:
    """Nothing that stands beside a value contradicts its surrogate."""
    drawn = surrogates(entity, text)

    assert len(drawn) > 2 or drawn in ({"Jehovah's Witnesses"}, {"wife"})
    assert all(re.fullmatch(pattern, one) for one in drawn), drawn


@pytest.mark.parametrize(
    "text",
    [
        "Insured: ⟦M.⟧\nBeneficiary: Ada, his ⟦MARITAL_STATUS|wife⟧.",
        "Roll, 1951\n1  Orr, Jan   M   head   ⟦MARITAL_STATUS|Married⟧\n2  Orr, Ada   F   ⟦wife⟧",
        "Husband's occupation: tailor. The ⟦husband⟧ votes Liberal.",
    ],
)
def test_a_spouse_and_a_state_of_one_page_stay_together(text: str) -> None:
    """Each of the two tells the other."""
    assert len(surrogates("MARITAL_STATUS", text)) == 1


def test_what_is_divorced_has_more_than_one_other_word() -> None:
    """One word alone would tell the original."""
    assert surrogates("MARITAL_STATUS", "He was ⟦divorced⟧ and went to sea.") >= {
        "widowed",
        "separated",
    }


def test_two_of_whom_one_is_the_elder_stay_two() -> None:
    """Words that compare two count them."""
    text = "The elder is at sea, the younger at home. There are ⟦two sons⟧."

    assert all(one.startswith("two ") for one in surrogates("MARITAL_STATUS", text))


def test_a_people_becomes_one_of_its_continent() -> None:
    """A people that no nation is named after does not become one of Europe."""
    drawn = surrogates("ETHNIC_ORIGIN", "Senator for Fianarantsoa. ⟦Betsileo⟧; schoolmaster.")

    assert drawn.isdisjoint({"Mexican", "Danish", "German", "Polish", "Swedish"})
