"""Expressions in a script."""
