"""Stored evenings."""
