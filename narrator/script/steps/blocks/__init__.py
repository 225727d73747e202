"""Steps that hold steps, and those that jump."""
