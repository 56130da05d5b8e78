"""The pack: recognizers/ and operators/, data only."""
