"""Commands for past evenings."""
