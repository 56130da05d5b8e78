"""The version of this distribution, which the build reads here."""

__version__ = "0.1.0"
