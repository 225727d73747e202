"""Piper, for a person's own voice file."""
