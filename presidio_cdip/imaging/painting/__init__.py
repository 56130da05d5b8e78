"""Erase originals and paint surrogates in their place.

* ``erase`` fills boxes with a colour; ``retouching`` inpaints and draws on the page's pixels.
* ``strokes`` tells a value's ink from other ink, on sloping lines with ``level``.
* ``places`` measures the space of each line; ``painting`` renders a text in a measured style.
* ``replacing`` chooses a surrogate that fits; ``augraphy_noise`` is an optional noise model.
"""
