"""Tests of `presidio_cdip.evaluation`."""
