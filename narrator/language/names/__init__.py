"""How names sound, differ and are spelt."""
