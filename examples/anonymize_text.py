"""Replace the findings by surrogates, and restore the original text with a vault."""

import tempfile
from pathlib import Path

from presidio_anonymizer import AnonymizerEngine

import presidio_cdip

TEXT = "DATE OF BIRTH: Nov. 9, 1965\nMarried, 3 children. SSN 271-24-0538\nHe was born on 11/9/65."
KEY = b"keep yours in a file: make-key makes one"

analyzer = presidio_cdip.analyzer()
results = analyzer.analyze(TEXT, language="en")

# With Presidio's own engine.
anonymizer = AnonymizerEngine()
presidio_cdip.add_operators(anonymizer)
operators = presidio_cdip.policy("surrogate", key=KEY, scope="doc-17")
# Presidio's analyzer and anonymizer each have their own type for results.
done = anonymizer.anonymize(TEXT, results, operators=operators)  # type: ignore[arg-type]
print(done.text, end="\n\n")

# The same, with a vault from which the original can be restored.
with tempfile.TemporaryDirectory() as folder:
    vault = presidio_cdip.Vault(Path(folder, "originals.vault"), KEY)
    done = presidio_cdip.anonymize(TEXT, results, operators, vault=vault)
    assert vault.restore(done.text) == TEXT

# Several surrogates for one value, in an order determined by key, scope and value.
surrogates = presidio_cdip.Surrogates(KEY, scope="doc-17")
for number, address in enumerate(surrogates.candidates("HOME_ADDRESS", "917 Hermitage Ct.")):
    print(address)
    if number == 2:
        break
