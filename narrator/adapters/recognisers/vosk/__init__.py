"""Vosk, restricted to the phrases of the moment."""
