"""Pictures of games and results."""
