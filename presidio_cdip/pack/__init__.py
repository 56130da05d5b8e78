"""Read the pack: recognizers/ and operators/, data only."""
