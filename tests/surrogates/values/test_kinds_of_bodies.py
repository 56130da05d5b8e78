"""Parties, bodies, prints and genes are replaced by others of their kind and form."""

import re

import pytest

from tests.marked import replaced

LOOPS = r"(?:ulnar|radial|right-slant|left-slant|plain|twinned) loop, \d+"


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("He ran ⟦POLITICAL_OPINION on the CCF ticket⟧ in Regina, 1944.",
         r"on the (?:Liberal|Conservative|Independent|Progressive|Socialist) ticket"),
        ("Dad will vote ⟦POLITICAL_OPINION Country Party⟧ as always.",
         "Liberal|Labor|Conservative|Independent|Progressive|Socialist|Democrat"),
        ("She was ⟦POLITICAL_OPINION leafleting for the SNP⟧ in Perth.", r".* for the [A-Z]\w+s"),
        ("I was ⟦POLITICAL_OPINION never in the Party⟧.", "never in the .+ Party"),
        ("He was out with the ⟦POLITICAL_OPINION Irregulars⟧ in '22.", r"(?:[A-Z]\w+ )?[A-Z]\w+s"),
        ("I am ⟦POLITICAL_OPINION not a polygamist⟧; and", "not a (?:believer|member|party|d|s).+"),
        ("Left thumb: ⟦BIOMETRIC_DATA ulnar loop, 11⟧.", LOOPS),
        ("Iris ⟦BIOMETRIC_DATA 0x9C04-1BE8⟧ enrolled", "0x[0-9A-F]{4}-[0-9A-F]{4}"),
        ("Face: ⟦BIOMETRIC_DATA 0.913 against 2016 image⟧", r"0\.\d{3} against 20[012]\d \w+"),
        ("Result: ⟦GENETIC_DATA BRCA2 c.5946delT, heterozygous⟧.", ".+ heterozygous"),
        ("Your line is ⟦GENETIC_DATA Y haplogroup J-M172⟧.", r"Y haplogroup [A-T]\S*"),
        ("K07  Ann Ross  1,812 cM  ⟦GENETIC_DATA half sister⟧",
         "aunt|niece|granddaughter|grandmother"),
        ("Member since ⟦TRADE_UNION_MEMBERSHIP 1961⟧", r"19[4-7]\d"),
        ("Bro. Rees, ⟦TRADE_UNION_MEMBERSHIP shop steward, No. 4 Mill⟧,", r".+, No\. \d Mill"),
    ],
)  # fmt: skip
def test_a_value_keeps_the_form_that_its_place_asks_for(text: str, pattern: str) -> None:
    """An arch has no count of ridges, and nobody runs on the Liberals ticket."""
    found = {one for (one,) in replaced(text, 24)}

    assert len(found) > 2
    assert all(re.fullmatch(pattern, one) for one in found), found


def test_a_vote_is_for_a_candidate_of_its_own_year() -> None:
    """Years count that stand beside it, as people tell them: nobody ran against Willkie in 1928."""
    text = "She was for ⟦POLITICAL_OPINION Willkie⟧ in 'forty. (Memoir, 1981)"
    found = {one for (one,) in replaced(text, 24)}

    assert found <= {"Vandenberg", "Taft", "Norman Thomas", "Roosevelt", "Garner"}
