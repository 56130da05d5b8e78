"""Replace sensitive values on a scanned page with surrogates in the style of the originals.

Give it a name to write the page to: python examples/replace_in_scan.py replaced.png
"""

import sys
from pathlib import Path

from PIL import Image

from presidio_cdip import image_redactor

PAGE = Path(__file__).with_name("personnel_page.png")
KEY = b"keep yours in a file: make-key makes one"

redactor = image_redactor(key=KEY)  # a presidio_image_redactor.ImageRedactorEngine
with Image.open(PAGE) as image:
    page, report = redactor.redact_page(image, scope="personnel file 17")

for finding in report.treated:
    how = f"{finding.face}, {finding.em:.0f} pixels" if finding.face else finding.reason
    print(f"{finding.entity:20} {finding.method:10} {how}")
if sys.argv[1:]:
    page.save(sys.argv[1])
