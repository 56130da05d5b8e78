"""Measure in which typeface, size, spacing and tone the words of a page are set.

* ``faces`` lists the typefaces; ``rendering`` draws text in one and models the scanner.
* ``sheet`` separates paper, ink and rules; ``shortlist`` and ``widths`` name likely typefaces.
* ``fitting`` fits one word; ``styles`` combines the fits of neighbouring words.
"""
