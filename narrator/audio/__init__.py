"""Mixing, levels and sounds, without devices."""
