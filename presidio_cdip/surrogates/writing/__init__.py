"""How a value is written: letters, tokens, number words, damage."""
