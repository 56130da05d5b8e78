"""List the words of a name that are no names: titles, particles, suffixes and abbreviations."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WOMENS_TITLES = _words(
    "mrs ms miss mme madame madam mlle sister mother lady dame aunt grandma frau fraulein senora"
    " sra srta signora mistress"
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
PARTICLES = _words(
    "van der den de la le les du del della di da dos das do von vom zu zur ten ter el al bin ibn"
    " ap st saint af av y"
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
RESERVED = TITLES | SUFFIXES | PARTICLES | LINKS | FILL | frozenset(SHORT)
