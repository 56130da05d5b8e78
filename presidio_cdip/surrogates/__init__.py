"""Replace a value by a surrogate: read its form, draw by key, write in the same form."""
