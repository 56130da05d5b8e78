"""Read the text of a page and map it to bounding boxes.

* ``ocr`` runs Tesseract; ``layout`` joins the words to a text with lines and columns.
* ``boxes`` maps a finding in that text to boxes on the page.
* ``verify`` checks whether an erased original can still be read.
"""
