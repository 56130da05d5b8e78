"""The face, size and tone that words are printed in."""
