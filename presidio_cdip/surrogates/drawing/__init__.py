"""Which form a value has, and what is drawn for it by key."""
