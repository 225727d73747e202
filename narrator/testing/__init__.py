"""The shipped test kit: virtual clock, fakes that are implementations, the table, test plans."""
