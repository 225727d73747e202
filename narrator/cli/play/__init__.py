"""Commands for an evening."""
