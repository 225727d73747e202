"""What is wrong with a script, and the remedy."""
