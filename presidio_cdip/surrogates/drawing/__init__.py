"""Read the form of a value, and draw its surrogate by key."""
