"""Captions and buttons as a web page, served by this process to phones and televisions."""
