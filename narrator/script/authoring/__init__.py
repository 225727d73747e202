"""What helps authors write games."""
