"""Whole intents files."""
