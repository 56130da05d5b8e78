"""Names, numbers and phrases."""
