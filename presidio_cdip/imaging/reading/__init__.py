"""What a page says, and where."""
