"""The clock, the inbox and the memory of the process."""
