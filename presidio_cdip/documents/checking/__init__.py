"""Check redacted documents of others for text that is still there."""
