"""Voices, a folder each."""
