"""What examines hearing, speech and names."""
