"""A game's YAML becomes a compiled game, or diagnostics with file, line and column."""
