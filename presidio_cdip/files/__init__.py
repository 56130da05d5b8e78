"""Files and folders: read, walked, and written whole or not at all."""
