"""Worlds for the session: virtual time, text, sound, simulated players."""
