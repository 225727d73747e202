"""Everything the language of the table decides: what is said to us, in which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from narrator.language.messages import Messages
from narrator.language.numbers import NumberWords


@dataclass(frozen=True, eq=False)
class Locale:
    """One language's words and sentence templates. Templates are hassil's.

    Two locales are the same only if they are one object: the loader keeps one per language.
    """

    language: str
    """For instance `en`."""
    yes: tuple[str, ...]
    no: tuple[str, ...]
    nobody: tuple[str, ...]
    everyone: tuple[str, ...]
    excepting: tuple[str, ...]
    """Plain words between "everyone" and the seats that are left out: `but`, `except`."""
    joiners: tuple[str, ...]
    """Plain words between the seats of a list: `and`."""
    either: tuple[str, ...]
    """Templates with `{seat}` twice, by which somebody names two where one is asked for."""
    seat_numbers: tuple[str, ...]
    """Templates with `{number}` that name a seat by its number: `seat {number}`."""
    frames: Mapping[str, tuple[str, ...]]
    """Templates around a slot by kind of answer: `seat`, `seats`, `number`, `letter`, `choice`."""
    commands: Mapping[str, tuple[str, ...]]
    """Templates by command: `pause`, `more time`."""
    letters: tuple[tuple[str, tuple[str, ...]], ...]
    """Each letter in capitals with its spoken forms."""
    numbers: NumberWords
    ordinary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Those of the commands' templates that people also say to each other in a discussion."""
    address: str = ""
    """The word that calls the narrator, by which they are meant for it then."""
    hosting: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Templates of what is said around games: `as last time`, `another game`, by word."""
    single: tuple[str, ...] = ()
    """Plain words that stand for one where an amount is meant: `a`, `another`. `{single}`."""
    openers: tuple[str, ...] = ()
    """Plain words that may be said before any sentence: `um`, `the`."""
    closers: tuple[str, ...] = ()
    """Plain words that may follow any sentence: `please`."""
    hesitations: tuple[str, ...] = ()
    """What people say while they think, no part of an answer in any words: `let me think`."""
    contractions: tuple[tuple[str, str], ...] = ()
    """Short forms with what they stand for: `i'm`, `i am`."""
    apostrophed: tuple[str, ...] = ()
    """Those of them that are another word without their apostrophe: `we're`."""
    everyday: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Sentences with what people say for them, by group: `ready`, and `all set` or `got it`."""
    corrections: tuple[str, ...] = ()
    """Plain words by which a speaker replaces what was just said: `no`, `i mean`."""
    amendments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Templates that put right what was read back, with `{value:right}` for the right answer:
    `value`; `each`, with `{seat:who}`; and `wrong`, with `{seats:wrong}`."""
    gains: tuple[str, ...] = ()
    """Templates with `{seats}` and `{number}` that give points: `{seats} {number} [each]`."""
    losses: tuple[str, ...] = ()
    """Those that take them away: `take {number} from {seats}`."""
    no_points: tuple[str, ...] = ()
    """Templates that, besides those for nobody, give points to nobody."""
    names: tuple[str, ...] = ()
    """Names that a recogniser of the language knows well, for players that are made up."""
    given_names: tuple[str, ...] = ()
    """Names that people have, for those who are not at the table yet."""
    same_names: tuple[tuple[str, ...], ...] = ()
    """Groups of names that sound alike and are only written in different ways."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """The narrator's own lines by id; Jinja templates."""
    trying: Mapping[str, str] = field(default_factory=dict)
    """What is said where everybody tries their name, by id, with `{name}`, `{heard}`, `{seat}`."""
    messages: Messages = field(default_factory=Messages)
    """What the program itself shows and says: faults, prompts, reports."""

    heard: Mapping[str, str] = field(default_factory=dict)
    """How it is told what became of an utterance and why, by code."""

    def amending(self, what: str) -> tuple[str, ...]:
        """Return the templates of `Expectation.amends`."""
        name, _, kind = what.rpartition(" ")
        if kind == "wrong":
            return self.amendments.get(kind, ())
        return tuple(
            t.replace("{value:", f"{{{kind}:") for t in self.amendments.get(name or "value", ())
        )

    def command(self, name: str) -> tuple[str, ...]:
        """Return the templates of a command; its name may have spaces, hyphens or underscores."""
        return self.commands.get(name.replace("_", " ").replace("-", " "), ())
