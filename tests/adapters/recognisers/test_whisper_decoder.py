"""The decoder against CTranslate2, and the search against trying every sentence."""

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.beam_search import PRIOR_WEIGHT, Pace, Search, force
from narrator.adapters.recognisers.whisper.decoder import Decoder
from narrator.adapters.recognisers.whisper.features import log_mel, window
from narrator.adapters.recognisers.whisper.internal_language_model import (
    KEPT_BYTES,
    InternalLanguageModel,
)
from narrator.adapters.recognisers.whisper.token_graph import Position, TokenGraph
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE
from narrator.ports.errors import RecogniserError
from narrator.ports.speech import Voice
from tools.hearing.afresh import EspeakAfresh

pytestmark = pytest.mark.model

PROMPT = (50257, 50362)
END = 50256
TEXTS = [" Seven.", " I vote for Ben", " 21"]


@pytest.fixture(scope="module")
def folder():
    try:
        return find_weights(None, [])
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")


@pytest.fixture(scope="module")
def whisper(folder):
    """Whisper at full precision, so that two ways to the same figure can be compared."""
    import ctranslate2

    return ctranslate2.models.Whisper(str(folder), device="cpu", compute_type="float32")


@pytest.fixture(scope="module")
def encode(folder):
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


@pytest.fixture(scope="module")
def decoder(folder):
    return Decoder(folder / "model.bin")


@pytest.fixture(scope="module")
def sound(whisper):
    """A spoken sentence, encoded."""
    import ctranslate2
    import soxr

    voice = EspeakAfresh().render("I vote for Ben", Voice(rate=140))
    heard = soxr.resample(voice, SPEAKER_RATE, MIC_RATE)
    return whisper.encode(ctranslate2.StorageView.from_array(log_mel(window(heard, 4.0))[None]))


def by_the_library(whisper, sound, tokens):
    """Return the log-probability of each token after those before it, as CTranslate2 has it."""
    (result,) = whisper.generate(
        sound,
        [[*PROMPT, *tokens]],
        beam_size=1,
        max_length=2 * (len(tokens) + 2),
        return_logits_vocab=True,
        suppress_blank=False,
        suppress_tokens=[],
    )
    rows = [np.array(row, np.float64) for row in result.logits[0][: len(tokens)]]
    return [row[t] - np.logaddexp.reduce(row) for row, t in zip(rows, tokens, strict=True)]


@pytest.mark.parametrize("text", TEXTS)
def test_every_step_gives_the_librarys_figure(whisper, decoder, encode, sound, text):
    tokens = encode(text)
    cross, cache, last = decoder.listen(np.array(sound)[0]), decoder.start(), np.array([PROMPT])
    for token, expected in zip(tokens, by_the_library(whisper, sound, tokens), strict=True):
        outputs, cache = decoder.step(cross, cache, last)
        exact = decoder.all_scores(outputs[0, -1])[token]
        assert exact == pytest.approx(expected, abs=0.02)
        (nearly,) = decoder.scores(outputs[:, -1], [np.array([token])])
        assert nearly[0] == pytest.approx(expected, abs=1.0)
        last = np.array([[token]])


def test_all_tokens_at_once_or_one_by_one_is_the_same(decoder, encode, sound):
    cross = decoder.listen(np.array(sound)[0])
    tokens = encode(TEXTS[1])
    at_once, _ = decoder.step(cross, decoder.start(), np.array([[*PROMPT, *tokens]]))
    cache, steps = decoder.start(), []
    for token in (*PROMPT, *tokens):
        outputs, cache = decoder.step(cross, cache, np.array([[token]]))
        steps.append(outputs[0, 0])
    assert np.abs(at_once[0] - np.array(steps)).max() < 1e-3


def test_a_batch_does_not_mix_its_rows(decoder, encode, sound):
    cross = decoder.listen(np.array(sound)[0])
    sentences = [(*encode(text), END) for text in TEXTS]
    together = force(decoder, cross, PROMPT, sentences)
    alone = [force(decoder, cross, PROMPT, [sentence])[0] for sentence in sentences]
    assert together == pytest.approx(alone, abs=1e-3)


def votes(names):
    line = "i vote for".split()
    arcs = [(Arc(word, n + 1),) for n, word in enumerate(line)]
    return Automaton((*arcs, tuple(Arc(name, 4) for name in names), ()), frozenset({4}))


def test_the_search_finds_what_trying_everything_finds(decoder, encode, sound):
    names = "ana ben cy dee eli fay gus".split()
    cross = decoder.listen(np.array(sound)[0])
    noise = decoder.listen(np.zeros((200, 384), np.float32))
    graph = TokenGraph(votes(names), encode, END)
    prior = InternalLanguageModel(decoder, noise, PROMPT)
    best = Search(decoder, cross, graph, prior, Pace(3.0)).run(PROMPT, longest=20)[0]
    every = [(*encode(f" I vote for {n.title()}{m}"), END) for n in names for m in (".", "")]
    totals = force(decoder, cross, PROMPT, every)
    assert best.words == ("i", "vote", "for", "ben")
    on_noise = force(decoder, noise, PROMPT, every)
    ranks = [total - PRIOR_WEIGHT * prior for total, prior in zip(totals, on_noise, strict=True)]
    means = [rank / len(tokens) for rank, tokens in zip(ranks, every, strict=True)]
    assert best.mean == pytest.approx(max(means), abs=0.05)


def test_what_is_kept_of_the_noise_equals_what_is_computed_afresh(decoder, encode, sound):
    noise = decoder.listen(np.zeros((200, 384), np.float32))
    prior = InternalLanguageModel(decoder, noise, PROMPT)
    wanted = [np.arange(0, 3000, 7)] * 2
    ends = [encode(" Ben")[0], encode(" Cy")[0]]
    for length in range(4):
        prefixes = [(end,) * length for end in ends]
        rows = np.array([[*PROMPT, *prefix] for prefix in prefixes])
        outputs, _ = decoder.step(noise, decoder.start().reorder([0, 0]), rows)
        uncached = decoder.scores(outputs[:, -1], wanted)
        for _ in range(2):
            kept = prior.scores(prefixes, wanted)
            assert np.abs(np.array(kept) - np.array(uncached)).max() < 0.02


def test_sound_and_noise_in_one_step_are_what_they_are_alone(decoder, encode, sound):
    cross = decoder.listen(np.array(sound)[0])
    noise = decoder.listen(np.zeros((200, 384), np.float32))
    prior, alone = (InternalLanguageModel(decoder, noise, PROMPT) for _ in range(2))
    wanted = [np.arange(0, 3000, 7)] * 3
    words = [encode(text)[0] for text in (" Ben", " Cy", " Ana")]
    alone.scores([(words[1],)], wanted[:1])
    _, cache = decoder.step(cross, decoder.start(), np.array([PROMPT]))
    cache = other = cache.reorder([0, 0, 0])
    for length in range(1, 4):
        prefixes = [(word,) * length for word in words]
        ends, log_partitions, cache = prior.step(cross, cache, prefixes)
        outputs, other = decoder.step(cross, other, np.array([[word] for word in words]))
        together = decoder.relatives(ends, log_partitions, wanted)
        apart = decoder.scores(outputs[:, -1], wanted)
        assert np.abs(np.array(together) - np.array(apart)).max() < 1e-3
        both = [one.scores(prefixes, wanted) for one in (prior, alone)]
        assert np.abs(np.array(both[0]) - np.array(both[1])).max() < 0.02


def test_only_so_many_beginnings_are_kept(decoder, encode, sound):
    prior = InternalLanguageModel(decoder, decoder.listen(np.zeros((200, 384), np.float32)), PROMPT)
    first = prior.scores([(7, 8)], [np.array([9])])[0]
    for token in range(0, KEPT_BYTES // 13_000 + 400, 40):  # the prompt and one token: 18 kB
        prior.scores([(t,) for t in range(token, token + 40)], [np.array([9])] * 40)
    assert 0.99 * KEPT_BYTES < prior.bytes <= KEPT_BYTES
    assert prior.bytes == sum(entry.bytes for entry in prior._kept.values())
    assert prior.scores([(7, 8)], [np.array([9])])[0] == pytest.approx(first, abs=1e-4)


def test_the_token_graph_spells_only_sentences_of_the_grammar(encode):
    graph = TokenGraph(votes(["ben", "benjamin", "o'neil", "siobhán"]), encode, END)

    def walk(text):
        ((position, _),) = graph.starts
        before = position
        after: Position | None = position
        for token in (*encode(text), END):
            if after is None or token not in graph.tokens(after):
                return None
            before, after = after, graph.advance(after, token)
        return " ".join(before.words)

    assert walk(" I vote for Ben.") == walk(" i vote, for ben") == "i vote for ben"
    assert walk(" I vote for Benjamin?") == "i vote for benjamin"
    assert walk(" I vote for O'neil") == "i vote for o'neil"
    assert walk(" I vote for siobhán!") == "i vote for siobhán"
    for wrong in (
        "",
        " I vote",
        " I vote for",
        " Ben",
        " I vote for Ben Ben",
        " I vote for Be",
        ",",
    ):
        assert walk(wrong) is None, wrong
