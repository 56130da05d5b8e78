"""Tests of `presidio_cdip.imaging`; a package, so that they share `drawing`."""
