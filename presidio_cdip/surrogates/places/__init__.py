"""Read places and addresses, and draw surrogates of them."""
