"""From a value to its surrogate: read its form, draw by key, write in the same form."""
