"""From text to spans."""
