"""Steps that work something out."""
