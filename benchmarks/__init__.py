"""Measure recognition, surrogates and redaction of page images."""
