"""Files beside a script."""
