"""Draw surrogates of names, numbers and phrases."""
