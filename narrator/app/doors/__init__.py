"""What the command line may use of the rooms below: names handed on, nothing decided here."""
