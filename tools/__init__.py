"""Make data of the pack from lists, labels and rules."""
