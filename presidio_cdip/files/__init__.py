"""Walk, read and account for files and folders, and write each file whole or not at all."""
