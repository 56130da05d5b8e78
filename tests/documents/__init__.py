"""Tests of `presidio_cdip.documents`; a package, so that they share builders."""
