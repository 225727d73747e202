"""The manifest that ships, and wrong ones."""

from pathlib import Path

import pytest

from narrator.adapters.model_store.manifest import (
    ManifestError,
    find_offer,
    offer_for,
    read_manifests,
)
from narrator.adapters.recognisers.vosk.models import language_of

pytestmark = pytest.mark.unit

SHIPPED = Path(__file__).parents[3] / "models" / "manifest.toml"
WRONG = {
    "a word": ("nonsense", "not written as TOML"),
    "an unknown line": ('[[model]]\nname = "x"\nhash = "1"', "wrong at model 0"),
    "a name that leads out": ('name = "../evil"', "name"),
    "a name that is a path": ('name = "/etc"', "name"),
    "a sum that is none": ('sha256 = "12"', "sha256"),
    "no size": ("size = 0", "size"),
    "another address": ('url = "ftp://example.org/x.zip"', "must begin with https"),
    "a file": ('url = "file:///etc/passwd"', "must begin with https"),
    "an open address without a sum": (
        'url = "http://example.org/x.zip"\nsha256 = ""',
        "where no sha256 is given",
    ),
}
GOOD = {
    "name": "vosk-model-small-de-9",
    "short": "de",
    "language": "German",
    "code": "de",
    "url": "https://example.org/x.zip",
    "size": 5,
    "sha256": "0" * 64,
    "licence": "MIT",
}


def written(path, **lines):
    text = "\n".join(
        f"{k} = {v}" if isinstance(v, int) else f'{k} = "{v}"' for k, v in lines.items()
    )
    path.write_text(f"[[model]]\n{text}\n")
    return path


def test_what_ships_has_every_language_that_was_promised_and_all_that_must_be_known():
    offers = read_manifests([SHIPPED])
    assert {o.short for o in offers} >= {
        "en-us", "en-in", "de", "fr", "es", "it", "nl", "pl", "ko",
    }  # fmt: skip
    assert len({o.name for o in offers}) == len({o.sha256 for o in offers}) == len(offers)
    for offer in offers:
        assert offer.url == f"https://alphacephei.com/vosk/models/{offer.name}.zip"
        assert "-small-" in offer.name and offer.size and offer.sha256
        assert "-".join(filter(None, language_of(Path(offer.name)))) == offer.code.lower()


def short(offer):
    assert offer is not None
    return offer.short


def test_an_offer_is_found_by_every_name_it_has():
    offers = read_manifests([SHIPPED])
    for word in ("de", "DE", "vosk-model-small-de-0.15", "vosk-model-small-de-0.15.zip"):
        assert short(find_offer(offers, word)) == "de"
    assert short(find_offer(offers, "en_US")) == "en-us"
    assert find_offer(offers, "tlh") is None
    assert short(offer_for(offers, "en")) == "en-us"
    assert short(offer_for(offers, "en-IN")) == "en-in"
    assert short(offer_for(offers, "de-AT")) == "de"
    assert offer_for(offers, "tlh") is None


def test_ones_own_manifest_adds_and_wins(tmp_path):
    mine = written(tmp_path / "manifest.toml", **GOOD | {"name": "vosk-model-small-de-0.15"})
    offers = read_manifests([SHIPPED, mine, tmp_path / "nowhere.toml"])
    assert len(offers) == len(read_manifests([SHIPPED]))
    assert [o.url for o in offers if o.short == "de"] == [GOOD["url"]]


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_one_is_refused_with_its_place(tmp_path, case):
    line, told = WRONG[case]
    path = tmp_path / "manifest.toml"
    if line.startswith(("name", "sha256", "size", "url")):
        keys = {part.split(" = ")[0] for part in line.splitlines()}
        rest = "\n".join(
            f"{k} = {v}" if isinstance(v, int) else f'{k} = "{v}"'
            for k, v in GOOD.items()
            if k not in keys
        )
        line = f"[[model]]\n{line}\n{rest}"
    path.write_text(line)
    with pytest.raises(ManifestError, match=told) as caught:
        read_manifests([path])
    assert str(path) in caught.value.message and caught.value.exit_code == 2


def test_an_open_address_will_do_where_the_sum_is_known(tmp_path):
    path = written(tmp_path / "manifest.toml", **GOOD | {"url": "http://example.org/x.zip"})
    assert read_manifests([path])[0].url == "http://example.org/x.zip"
