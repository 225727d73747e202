"""The one session."""
