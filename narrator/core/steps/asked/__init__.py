"""Steps that listen."""
