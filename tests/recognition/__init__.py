"""Tests of `presidio_cdip.recognition`; a package, so that its modules have names of their own."""
