"""The kinds of step: a file each, with its data, its rule and what it expects."""
