"""Redact page images: find values by OCR, erase them, paint surrogates, read the page again.

* ``page``: pixels of a page: image files, cleaning, deskew, rotation, illumination, inpainting.
* ``reading``: OCR, text layout, bounding boxes of findings, and the check for readable originals.
* ``style``: the typefaces, and the measuring of typeface, size, spacing and tone of words.
* ``painting``: erasing of originals, and placing and drawing of surrogates.
* ``redaction`` and ``previews`` run these four on files; ``words`` holds `Box` and `Word`.

Imports go one way: from ``redaction`` to ``painting``, to ``reading`` and ``style``, to ``page``,
to ``words``; ``reading`` and ``style`` do not import each other.
"""
