"""Files and folders: walked, read, written whole or not at all, and accounted for."""
