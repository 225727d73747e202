"""From lines to sound."""
