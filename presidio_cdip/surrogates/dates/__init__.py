"""Draw surrogates of dates, times of day, periods and ages."""
