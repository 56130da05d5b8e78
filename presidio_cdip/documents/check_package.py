"""Find what office files hold, but do not show."""
