"""Handle the pixels of a page, without any knowledge of its text.

* ``pages`` reads and writes image files; ``canvas`` changes pixels in any image mode.
* ``clean`` prepares a page for OCR; ``turning`` rotates it by quarter turns.
* ``light`` estimates the illumination; ``paper`` fills erased pixels with background.
* ``cells`` finds the cells of forms; ``checkboxes`` their boxes.
* ``ruling`` traces rules, and redraws them where letters touched them.
"""
