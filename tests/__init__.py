"""What is claimed of the package, and shown."""
