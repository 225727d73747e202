"""Narrator: an offline voice moderator for table games."""

__version__ = "0.1.0"
