"""The one door for reading files: how much, how deep, how large a number."""
