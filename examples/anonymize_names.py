"""Replace names, organizations, places, e-mail addresses and dates beside our own findings."""

import re

import presidio_cdip

TEXT = """\
Sunrise, Florida, 03/03/2004

Dear Ms. Okafor,

Stanislaw Wisniewski has worked for Harcourt Instrument Company since 05/12/1998.
Mr. Wisniewski was born on 11/9/65, is married and lives at 917 Hermitage Ct., Dayton, OH 45402.
Please write to stanislaw.wisniewski@harcourt.com, or to me.

Ellen M. Ward, Personnel
"""
KEY = b"keep yours in a file: make-key makes one"
NAMES = ["PERSON", "ORGANIZATION", "LOCATION"]
EXTRAS = ["EMAIL_ADDRESS", "DATE_TIME"]

# Our finder has the names, Presidio's own recognizers the e-mail addresses and dates.
analyzer = presidio_cdip.analyzer(names=True, extras=True)
results = analyzer.analyze(TEXT, language="en")
found = {result.entity_type for result in results}
assert {*NAMES, *EXTRAS} <= found, found

# Names of one person agree, the address before the @ too; dates move together.
operators = presidio_cdip.policy("surrogate", key=KEY, scope="letter-4")
done = presidio_cdip.anonymize(TEXT, results, operators)
print(done.text)

assert re.search(r"@example\.(?:com|net|org), or to me", done.text)  # a reserved domain
for original in ("Stanislaw", "Wisniewski", "wisniewski", "Okafor", "Ellen", "Ward", "Harcourt"):
    assert original not in done.text, original
