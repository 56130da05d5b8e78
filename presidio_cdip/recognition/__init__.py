"""Find spans in a text."""
