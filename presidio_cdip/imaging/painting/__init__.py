"""Erasing originals and painting surrogates."""
