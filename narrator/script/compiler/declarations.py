"""Compiling what stands before the phases: players, posts, options, secrets."""

from __future__ import annotations

from narrator.core.game import Line, Option, Post
from narrator.core.steps.asked import timer as rules_timer
from narrator.core.steps.spoken.wait import PACES
from narrator.core.values import Constant, Expression
from narrator.script.compiler.builder import GLOBALS, Builder, constant, identifier, slug
from narrator.script.reading.models import OptionShape, PostShape
from narrator.script.reading.nodes import Scalar

OPTION_KINDS = {
    "duration": "duration",
    "number": "number",
    "yes/no": "yesno",
    "choice": "choice",
    "text": "text",
    "list": "list",
}
NEXT = ("left", "right", "stays")
MOST_PLAYERS = 30


PACE = Option(
    "pace",
    "number",
    Constant(1),
    Constant(PACES[0]),
    Constant(PACES[1]),
    about="How long every wait lasts: 1 as written, 2 twice as long.",
)
"""An option that every game has."""
LAST_TEN = Option(
    rules_timer.LAST_TEN,
    "yesno",
    Constant(False),
    about="Whether the last ten seconds of every timer are counted aloud.",
)
"""An option that every game has, too."""


def players(b: Builder) -> None:
    """Check that a table of that size can be."""
    shape = b.script.players
    what = ""
    if shape.low < 1:
        what = "A game needs at least one player"
    elif shape.high < shape.low:
        what = f"The largest table ({shape.high}) is smaller than the smallest ({shape.low})"
    elif shape.high > MOST_PLAYERS:
        what = f"More than {MOST_PLAYERS} players cannot be told apart by voice"
    if what:
        b.report.add("NS027", b.script.at("players"), what=what)


def posts(b: Builder) -> tuple[Post, ...]:
    """Compile the posts; their names are known afterwards."""
    table = b.script.table("posts")
    made = []
    for key, shape in (b.script.posts or {}).items():
        name = _declared(b, Scalar(key, table.keys_at[key]))
        made.append(_post(b, name, shape))
    return tuple(made)


def _declared(b: Builder, name: Scalar) -> str:
    if identifier(name.text) in b.known - GLOBALS:
        b.report.add("NS031", name.place, name=name.text, by="another post or option")
    return b.variable(name)


def _post(b: Builder, name: str, shape: PostShape | None) -> Post:
    first: Expression | None = None
    following = "left"
    if shape and shape.first and shape.first.text != "random":
        first = b.reference(shape.first)
    if shape and shape.next_game:
        following = shape.next_game.text
        if following not in NEXT:
            b.report.add("NS026", shape.next_game.place, word=following, key="next game",
                         near=(following, NEXT))  # fmt: skip
            following = "left"
    return Post(name, first, following)  # type: ignore[arg-type]


def options(b: Builder) -> tuple[Option, ...]:
    """Compile the options; their names are known afterwards."""
    table = b.script.table("options")
    made = []
    for key, shape in (b.script.options or {}).items():
        option = _option(b, identifier(key), shape)
        _declared(b, Scalar(key, table.keys_at[key]))
        made.append(option)
    for everywhere in (PACE, LAST_TEN):
        if everywhere.name not in b.known:
            made.append(everywhere)
            b.known.add(everywhere.name)
    return tuple(made)


def _option(b: Builder, name: str, shape: OptionShape) -> Option:
    word = shape.kind.text
    kind = OPTION_KINDS.get(word, "text")
    if word not in OPTION_KINDS:
        b.report.add("NS026", shape.kind.place, word=word, key="kind", near=(word, OPTION_KINDS))
    choices = tuple(choice.text for choice in shape.choices or [])
    default = _of_kind(b, shape.default, kind)
    low = _of_kind(b, shape.low, kind) if shape.low else None
    high = _of_kind(b, shape.high, kind) if shape.high else None
    about = ""
    if shape.about:
        about = b.wording.line(f"options/{slug(name)}/about", shape.about).text
    ask = _asked(b, name, shape.ask, kind) if shape.ask else None
    _within(b, shape, name, default, low, high)
    if kind == "choice" and shape.default.text not in choices:
        b.report.add("NS026", shape.default.place, word=shape.default.text, key="default",
                     near=(shape.default.text, choices))  # fmt: skip
    return Option(name, kind, default, low, high, choices, about, ask)  # type: ignore[arg-type]


def _asked(b: Builder, name: str, question: Scalar, kind: str) -> Line:
    """Compile what asks for an option; before a game only the number of players is known."""
    if kind in ("text", "list"):
        cure = f"An option of the kind {kind} cannot be answered by voice: leave `ask` out."
        b.report.add("NS026", question.place, word=question.text, key="ask", cure=cure)
    known, b.known = b.known, {"n"}
    ident = f"options/{slug(name)}/ask"
    line = Line(ident, b.spoken(ident, question), "question", question.place)
    b.known = known
    return line


def _of_kind(b: Builder, scalar: Scalar, kind: str) -> Expression:
    if kind == "duration":
        return b.duration(scalar)
    if "{{" in scalar.text:
        return b.value(scalar)
    if kind == "list":
        if scalar.text != "none":
            b.report.add("NS026", scalar.place, word=scalar.text, key="default",
                         cure="Write none: the player names the file.")  # fmt: skip
        return Constant({})
    if kind in ("choice", "text"):
        return Constant(scalar.text)
    value = constant(scalar)
    if kind == "yesno" and not isinstance(value, bool):
        b.report.add("NS028", scalar.place, word=scalar.text)
    if kind == "number" and (isinstance(value, bool) or not isinstance(value, (int, float))):
        b.report.add("NS022", scalar.place, wanted="a number", found=f"`{scalar.text}`")
    return Constant(value)


def _within(
    b: Builder,
    shape: OptionShape,
    name: str,
    default: Expression,
    low: Expression | None,
    high: Expression | None,
) -> None:
    """Check the default against its limits where all are plain values."""
    bounds = [e.value if isinstance(e, Constant) else None for e in (low, default, high)]
    least, value, most = bounds
    if not isinstance(value, (int, float)):
        return
    if (isinstance(least, (int, float)) and value < least) or (
        isinstance(most, (int, float)) and value > most
    ):
        b.report.add("NS067", shape.default.place, default=shape.default.text, name=name,
                     low=shape.low.text if shape.low else "any",
                     high=shape.high.text if shape.high else "any")  # fmt: skip


def secrets(b: Builder) -> None:
    """Note what is secret."""
    b.secrets = frozenset(identifier(word.text) for word in b.script.secrets or [])
    # Totals that are kept secret are revealed by the last phase, and by no step.
    b.known -= b.secrets & GLOBALS


def begin(b: Builder) -> None:
    """Declare the names that every script can use."""
    b.known = set(GLOBALS)
    b.fixed = GLOBALS


def settle(b: Builder, made: tuple[Post, ...], chosen: tuple[Option, ...]) -> None:
    """From here on, posts and options are not to be set by a step."""
    b.fixed = GLOBALS | {post.name for post in made} | {option.name for option in chosen}


def unset_secrets(b: Builder) -> None:
    """Report secrets that no step ever sets: they are probably misspelt."""
    for word in b.script.secrets or []:
        name = identifier(word.text)
        if name not in b.known | b.maybe:
            b.report.add("NS069", word.place, kind="secret", name=word.text)
