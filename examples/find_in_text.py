"""Find sensitive personal data in a text, without network access or a model download."""

import presidio_cdip

TEXT = """PERSONAL HISTORY
Soc. Sec. No. 271-24-0538      Date of birth: Nov. 9, 1965
Married, 2 children            Place of birth: Gallipolis, Ohio
Home: (919) 555-0143           Office: (919) 555-0100
"""

analyzer = presidio_cdip.analyzer()
for result in sorted(analyzer.analyze(TEXT, language="en"), key=lambda result: result.start):
    print(f"{result.entity_type:18} {result.score:.2f}  {TEXT[result.start : result.end]}")
