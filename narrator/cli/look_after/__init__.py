"""Commands for voices, microphones and models."""
