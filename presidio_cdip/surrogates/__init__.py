"""From a value to its surrogate: read its form, draw from a keyed source, write in the same form."""
