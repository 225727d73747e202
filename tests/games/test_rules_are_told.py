"""What a rule book says to everybody, the narrator says, whatever options the table has chosen.

Each game is played through a round at its smallest and its largest table, once for each value of
each option that changes words; the lines that were spoken have to hold every rule.
"""

from dataclasses import dataclass, field

import pytest

from tests.games.at_the_table import NAMES, Answer, load_game, play, table_of

pytestmark = pytest.mark.unit


@dataclass(frozen=True)
class Told:
    """A game's rules, as pieces of what is spoken, and what brings a table past them."""

    until: str
    answers: dict[str, Answer]
    always: tuple[str, ...]
    only: dict[tuple[str, object], tuple[str, ...]] = field(default_factory=dict)
    """What one value of an option adds."""
    never: dict[tuple[str, object], tuple[str, ...]] = field(default_factory=dict)
    """What one value of an option takes away."""


GAMES = {
    "one-night-revolution": Told(
        until="votes",
        answers={
            "ready": "ready",
            "night-ready": "yes",
            "turn": "task complete",
            "controller-looks": "task complete",
            "morning": "everything is fine",
            "declare": "done",
            "discussion": "we are done",
        },
        always=(
            "takes the Controller token",
            "headquarters board in the middle, and give everybody a reference card",
            "lay their tokens around the board",
            "3 Informant tokens",
            "lay the last 3 face down on the board",
            "Look once at your own token and at your card, and show them to nobody",
            "do what your card says for the side you started on",
            "say: task complete",
            "If it cannot be done, or there is nothing to do, say it all the same",
            "Look at no token and give no signs, unless your card tells you to",
            "You may look at your own card again",
            "It need not be true",
            "take it from the player who has it; that player takes another at once",
            "Little talk",
            "Your side is now that of the token before you",
            "on a tie all who have the most, but nobody with fewer than two",
            "The Rebels win if an Informant is terminated. The Informants win if none is",
            "you may vote in a circle",
            "true or not",
            "look at no identity token and no Specialist card",
            "You may turn over the Specialist token of somebody you suspect",
            "To stop early",
            "point at one other player",
        ),
        only={
            ("brief", True): ("The Rebels want to find an Informant", "For a first game take"),
            ("deep_agent", True): ("The Deep Agent is one of them",),
        },
        never={("deep_agent", True): ("For a first game take",)},
    ),
}


def values_of(name: str) -> list[tuple[str, object]]:
    """Return each value of each option of a game that is one of a few."""
    values: list[tuple[str, object]] = [("pace", 1)]
    for option in load_game(name).game.options:
        if option.kind == "yesno" and option.name != "last_ten":
            values += [(option.name, True), (option.name, False)]
        if option.kind == "choice":
            values += [(option.name, choice) for choice in option.choices]
    return values


CASES = [(name, value) for name in GAMES for value in values_of(name)]


@pytest.mark.parametrize("most", [False, True], ids=["smallest", "largest"])
@pytest.mark.parametrize(("name", "value"), CASES)
def test_every_rule_is_told_whatever_is_chosen(
    name: str, value: tuple[str, object], most: bool
) -> None:
    told, loaded = GAMES[name], load_game(name)
    count = loaded.game.high if most else loaded.game.low
    table = table_of(name, (list(NAMES.values()) + EXTRA)[:count], **dict([value]))
    play(table, told.answers, told.until)
    spoken = " ".join(line.text for line in table.said)
    wanted = [*told.always, *told.only.get(value, ())]
    assert [rule for rule in wanted if rule not in spoken] == []
    assert [rule for rule in told.never.get(value, ()) if rule in spoken] == []


EXTRA = "Max Ned Ora Pat Quin Rob Sue Tom Uma".split()
"""The largest tables have more seats than the scoring cases have letters."""
