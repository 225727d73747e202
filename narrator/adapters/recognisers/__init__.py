"""Recogniser engines, a folder each."""
