"""Tables and moments that the language tests share."""

from __future__ import annotations

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.grammar import Grammar, compile_grammar
from narrator.script.files.locales import load_locale

ENGLISH = load_locale("en")
NAMES = ("Ana", "Ben", "Cy", "Dee", "Siobhán", "Jean-Luc", "O'Brien", "Zoë-Mae")
SEATS = tuple(
    Seat(number, name, hear=("shi vawn",) if name == "Siobhán" else ())
    for number, name in enumerate(NAMES, 1)
)
COMMANDS = tuple(Expectation(f"command:{name}", "command") for name in ENGLISH.commands)
DONE = Expectation("done", "phrase", templates=("[i am] done", "next"))

LIVE: dict[str, tuple[Expectation, ...]] = {
    "yesno": (Expectation("answer", "yesno"),),
    "number": (Expectation("answer", "number", low=0, high=999),),
    "deep number": (Expectation("answer", "number", low=-50, high=9999),),
    "seat": (Expectation("answer", "seat"),),
    "seat or nobody": (Expectation("answer", "seat", nobody=True),),
    "seats": (Expectation("answer", "seats", nobody=True),),
    "seats among some": (Expectation("answer", "seats", allowed=("Ben", "Cy")),),
    "letter": (Expectation("answer", "letter", allowed=("A", "B", "C")),),
    "choice": (
        Expectation(
            "answer",
            "choice",
            choices=(("heads", ("head[s] [up]",)), ("tails", ()), ("plan 2", ())),
        ),
    ),
    "phrase": (
        Expectation(
            "answer",
            "phrase",
            templates=("task complete", "mission accomplished", "{seat} is ready"),
        ),
    ),
    "commands": COMMANDS,
    "answer and commands": (Expectation("answer", "phrase", templates=("done", "next")), *COMMANDS),
    "free": (Expectation("answer", "free"), DONE),
}


def grammar(live: str) -> Grammar:
    return compile_grammar(LIVE[live], SEATS, ENGLISH, openers=True)
