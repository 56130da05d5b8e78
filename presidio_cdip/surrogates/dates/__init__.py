"""Dates, ages, hours and periods."""
