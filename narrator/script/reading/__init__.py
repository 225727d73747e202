"""From YAML to checked nodes."""
