"""What Vosk is told to listen for: a list of phrases that it may also cut and repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from narrator.language.grammar.automaton import Arc, Automaton

WHOLE = 200
"""Up to this many sentences are listed one by one; beyond, their parts are."""
UNKNOWN = "[unk]"


def phrases(grammar: Automaton, knows_word: Callable[[str], bool]) -> list[str]:
    """Return the phrases for a grammar, `[unk]` among them.

    A phrase with a word the model lacks is left out: Vosk would silently listen for its rest.
    """
    known = _only(grammar, knows_word)
    few = _count(known, WHOLE) <= WHOLE
    found = known.sentences(WHOLE) if few else _pieces(known)
    return [*dict.fromkeys(found), UNKNOWN]


def _only(grammar: Automaton, knows_word: Callable[[str], bool]) -> Automaton:
    known = {word: knows_word(word) for word in grammar.words()}
    arcs = tuple(
        tuple(arc for arc in state if not arc.written and known[arc.word]) for state in grammar.arcs
    )
    return Automaton(arcs, grammar.finals)


def _count(grammar: Automaton, limit: int) -> int:
    """Count ways through the grammar, as far as the limit and no deeper than it."""
    waiting, found = [0], 0
    for _ in range(limit):
        waiting = [arc.target for state in waiting for arc in grammar.arcs[state]]
        found += sum(state in grammar.finals for state in waiting)
        if not waiting or found > limit or len(waiting) > 20 * limit:
            break
    return found if not waiting else limit + 1


def _pieces(grammar: Automaton) -> Iterable[str]:
    """Yield the runs of words between the places where the grammar branches, joins or may end."""
    entries = Counter(arc.target for arcs in grammar.arcs for arc in arcs)
    inner = {
        state
        for state, arcs in enumerate(grammar.arcs)
        if state and entries[state] == 1 and len(arcs) == 1 and state not in grammar.finals
    }
    for state, arcs in enumerate(grammar.arcs):
        if state not in inner and (entries[state] or not state):
            for arc in arcs:
                yield " ".join(_run(grammar, arc, inner))


def _run(grammar: Automaton, arc: Arc, inner: set[int]) -> Iterable[str]:
    yield arc.word
    while arc.target in inner:
        (arc,) = grammar.arcs[arc.target]
        yield arc.word
