"""A union becomes one of its craft and time, and an office one that is held where the page says."""

import re

import pytest

from tests.marked import replaced

UNION = "TRADE_UNION_MEMBERSHIP"
CASES = [
    (f"1951, at the packing plant: ⟦{UNION} trustee of Local 4, Meat Cutters⟧.",
     ".*(?:Packinghouse Workers|Butcher Workmen|Stock Yard Employees|Provision Workers)"),
    (f"1947: ⟦{UNION} treasurer of Local 11 of the Postal Clerks⟧.",
     ".*(?:Letter Carriers|Rural Carriers|Mail (?:Sorters|Handlers|Clerks)|Post Office Clerks)"),
    (f"1949. Labor organization: ⟦{UNION} Order of Railway Conductors, Div. 35⟧.",
     ".*(?:Trainmen|Switchmen|Yardmasters).*"),
    (f"He has been on the ⟦{UNION} branch committee of the N.U.M.⟧ since Easter.",
     r"(?!.*(?:S\.W\.M\.F|M\.F\.G\.B|Y\.M\.A)).*"),
    (f"1944. He was ⟦{UNION} steward on the kill floor⟧.",
     "(?!steward|president).* on the .*"),
    (f"1941. He was ⟦{UNION} delegate of the Shipwrights' Association⟧ at Hull.",
     "(?!.*Association' Association).*"),
    (f"She is in ⟦{UNION} no union⟧ now.", "no (?!sick|benefit|club).*"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pattern"), CASES)
def test_a_union_is_of_the_craft_and_time_of_the_original(text: str, pattern: str) -> None:
    """Nobody of one craft joins the union of another."""
    found = {one for (one,) in replaced(text, 20)}

    assert len(found) > 1
    assert all(re.fullmatch(pattern, one) for one in found), found
