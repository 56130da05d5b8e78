"""List the words of a name that are no names: titles, particles, suffixes and abbreviations."""

import re

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WOMENS_TITLES = _words(
    "mrs ms miss misses mme madame madam mlle sister mother lady dame aunt grandma frau fraulein"
    " senora sra srta signora mistress"
)
MENS_TITLES = _words("mr messrs sir lord father brother uncle grandpa herr senor signor mister")
TITLES = WOMENS_TITLES | MENS_TITLES | _words(
    "mx dr drs doctor prof professor rev revd reverend hon honorable capt captain col colonel lt"
    " lieut lieutenant sgt sergeant maj cpl corporal pvt pfc adm admiral cmdr commander ens ensign"
    " fr bro pastor deacon sen senator rep representative congressman congresswoman gov governor"
    " pres president mayor ambassador supt superintendent nurse officer det detective insp"
    " inspector chancellor cousin baby med dent jur habil"
)  # fmt: skip
INTIMATE = _words("sister brother aunt uncle cousin mother father grandma grandpa baby")
SUFFIXES = _words("jr sr jun ii iii iv esq esquire md phd dds dvm rn")
# Behind a last name: "the Ward family".
GROUPS = _words("family families household clan brothers sisters siblings twins children")
PARTICLES = _words(
    "van der den de la le les los las du del della di da dos das do von vom zu zur ten ter el al"
    " bin binti binte ibn ap st saint af av y"
)
NAMES_TOO = _words("al del")
MAIDEN = _words("née nee formerly")
LINKS = MAIDEN | _words("alias aka and or und et")
FILL = _words("the former late of a by her his with")
SHORT = {
    "wm": "William", "geo": "George", "chas": "Charles", "thos": "Thomas", "jas": "James",
    "jos": "Joseph", "robt": "Robert", "benj": "Benjamin", "saml": "Samuel", "danl": "Daniel",
    "edw": "Edward", "richd": "Richard", "eliz": "Elizabeth", "margt": "Margaret",
}  # fmt: skip
BEFORE_LAST = tuple(english().labels["labels_of_last_names"])
RESERVED = TITLES | SUFFIXES | PARTICLES | LINKS | FILL | frozenset(SHORT)

COUPLES = ("MARITAL_STATUS", "SEXUALITY")  # entities whose values name a spouse or a partner
_LONGEST_CODE = 4  # letters of "husb", which may stand for much else
_PARTNERS = tuple(one for one in english().labels["partners"] if len(one) >= _LONGEST_CODE)
_OF, _DEAD = ("|".join(english().labels[one]) for one in ("behind_partners", "dead"))
_PARTNER_NAMED = re.compile(
    rf"(?i)\b(?:{alternation(_PARTNERS)})(?:, ?| (?:{_OF}) | - |: ?| )"
    rf"(?:(?:{_DEAD}) |(?-i:[A-Z])[a-z]+\.? )?(?P<name>(?-i:[A-Z])[^\W\d_]{{3,}})\Z"
)


def partner_named(value: str) -> str:
    """Return the one name of a spouse or partner that a value has behind their word, or "".

    >>> partner_named("wife, Stasia"), partner_named("widow of Brother Tomas")
    ('Stasia', 'Tomas')
    >>> partner_named("husband in Korea"), partner_named("wife")
    ('', '')
    """
    found = _PARTNER_NAMED.search(value.strip())
    return found["name"] if found else ""
