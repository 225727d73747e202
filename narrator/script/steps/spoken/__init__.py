"""Steps that are heard."""
