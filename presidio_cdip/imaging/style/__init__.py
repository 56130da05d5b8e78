"""Measure in which typeface, size, spacing and tone the words of a page are set.

* ``faces`` lists the typefaces; ``rendering`` draws text in one and models the scanner.
* ``sheet`` separates paper, ink and rules; ``shortlist`` names the likely typefaces of a word.
* ``fitting`` fits one word; ``hands`` and ``styles`` combine the fits of words written alike.
"""
