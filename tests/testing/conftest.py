"""What the test kit's own tests share."""

import pytest

from narrator.script.files.locales import load_locale


@pytest.fixture(scope="session")
def english():
    return load_locale("en")
