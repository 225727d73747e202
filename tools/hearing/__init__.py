"""What `tools/bench hearing` is made of: sounds, steps of games that listen, and results kept."""
