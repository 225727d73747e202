"""Where evenings are stored."""
