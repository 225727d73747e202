"""Sound devices and sound files."""
