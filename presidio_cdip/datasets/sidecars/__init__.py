"""Replace values in files that repeat the text of a page, as in the page."""
