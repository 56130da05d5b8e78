"""Define the command line: a module for each command; each parses, calls and prints."""
