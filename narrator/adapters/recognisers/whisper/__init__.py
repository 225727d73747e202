"""Whisper, decoding only along the grammar of the moment."""
