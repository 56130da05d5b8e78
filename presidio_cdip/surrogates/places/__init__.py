"""Places and addresses."""
