"""The child process in which a voice runs, so that a hang costs one line."""
