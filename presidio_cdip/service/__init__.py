"""Serve the review page, documents, and Presidio's REST contracts."""
