"""What Vosk is told to listen for."""

import pytest

from narrator.adapters.recognisers.vosk.phrases import UNKNOWN, WHOLE, phrases
from narrator.language.grammar.automaton import Arc, Automaton

pytestmark = pytest.mark.unit


def everything(word):
    return True


def line(*slots):
    """A grammar of one slot after another, each a choice of words."""
    arcs = [
        tuple(Arc(w, n + 1, w.isdigit()) for w in words.split()) for n, words in enumerate(slots)
    ]
    return Automaton((*arcs, ()), frozenset({len(slots)}))


def test_a_small_grammar_is_listed_sentence_by_sentence():
    grammar = line("yes no", "please thanks")
    wanted = {"yes please", "yes thanks", "no please", "no thanks", UNKNOWN}
    assert set(phrases(grammar, everything)) == wanted


def test_written_numbers_are_not_for_a_lexicon():
    assert set(phrases(line("five 5"), everything)) == {"five", UNKNOWN}


def test_a_phrase_with_an_unknown_word_is_left_out_whole():
    grammar = line("vote", "ben xiomara")
    assert set(phrases(grammar, lambda w: w != "xiomara")) == {"vote ben", UNKNOWN}
    assert phrases(grammar, lambda w: w != "vote") == [UNKNOWN]


@pytest.mark.parametrize("size", [1_000, 10_000])
def test_a_large_grammar_is_never_enumerated(size):
    names = " ".join(f"name{n}" for n in range(size // 10))
    grammar = line("i", "vote", "for", names, "with", " ".join(f"n{n}" for n in range(10)))
    found = phrases(grammar, everything)
    assert len(found) == size // 10 + 10 + 3
    assert {"i vote for", "with", UNKNOWN, "name7", "n9"} <= set(found)


def test_an_endless_grammar_ends():
    endless = Automaton(((Arc("ben", 1),), (Arc("and", 0),)), frozenset({1}))
    assert set(phrases(endless, everything)) >= {"ben", "and", UNKNOWN}


def test_at_the_limit_nothing_is_lost():
    at = line(" ".join(f"w{n}" for n in range(WHOLE)))
    over = line(" ".join(f"w{n}" for n in range(WHOLE + 1)))
    assert len(phrases(at, everything)) == WHOLE + 1
    assert len(phrases(over, everything)) == WHOLE + 2
