"""Write config/narrator.toml from the settings themselves."""

from __future__ import annotations

from pathlib import Path

from narrator.config.settings import documented_defaults

if __name__ == "__main__":
    target = Path(__file__).parents[1] / "config" / "narrator.toml"
    target.write_text(documented_defaults(), encoding="utf-8")
