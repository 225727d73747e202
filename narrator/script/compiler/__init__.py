"""From a checked file to a compiled game."""
