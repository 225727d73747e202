"""The keyboard and the screen."""
