from __future__ import annotations

from pathlib import Path

import pytest

from tools import launch

pytestmark = pytest.mark.slow  # it makes a whole virtual environment


def test_packages_that_cannot_be_had_are_told_plainly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "play.lock").write_text("./no-such-package.whl --hash=sha256:00\n")
    monkeypatch.setattr(launch, "ROOT", tmp_path)
    monkeypatch.setattr(launch, "LOCKS", tmp_path)
    with pytest.raises(launch.SetUpError, match="could not be installed"):
        launch.make_environment(tmp_path / "venv", ["play"])
    assert not (tmp_path / "venv" / "play.stamp").exists()
