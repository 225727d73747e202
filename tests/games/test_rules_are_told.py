"""What a rule book says to everybody, the narrator says, whatever options the table has chosen.

Each game is played through a round at its smallest and its largest table, once for each value of
each option that changes words; the lines that were spoken have to hold every rule.
"""

from dataclasses import dataclass, field

import pytest

from narrator.core.effects import Listen
from tests.games.at_the_table import NAMES, Answer, load_game, play, table_of

pytestmark = pytest.mark.unit


@dataclass(frozen=True)
class Told:
    """A game's rules, as pieces of what is spoken, and what brings a table past them."""

    until: str
    answers: dict[str, Answer]
    always: tuple[str, ...]
    twice: tuple[str, ...] = ()
    """What is told again in the second part of a round."""
    only: dict[tuple[str, object], tuple[str, ...]] = field(default_factory=dict)
    """What one value of an option adds."""
    never: dict[tuple[str, object], tuple[str, ...]] = field(default_factory=dict)
    """What one value of an option takes away."""


def other_than_ana(listen: Listen) -> str:
    """Suspect somebody else who is not the active player."""
    return "Cy" if listen.seat == "Ben" else "Ben"


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
    "one-missing-briefing": Told(
        until="votes",
        answers={"roles": "ready", "scene": "done", "clue": "done"},
        always=(
            "closed sleeves that look alike",
            "an upright book that hides a whole card",
            "If anybody gives a role or the place away, say spoiled round",
            "The Briefed want to find the Bluffer without giving the place away",
            "The Bluffer wins unaccused, or by naming the place when accused",
            "shuffle one Bluffer slip with",
            "Unused slips stay hidden",
            "Read yours alone, put it away, and show it to nobody",
            "shuffle the unused scene cards face down. Without looking, take one",
            "lay the blank on top",
            "If anyone saw the scene, put that card away",
            "the same 10 seconds behind the screen",
            "The Bluffer never turns it over, and looks only at the blank, for the same time",
            "Nobody watches the hands or the face",
            "The envelope stays face down and closed until the reveal",
            "No word of its name, no translation or spelling of it, no initials or first letters, "
            "no rhyme, and no brand",
            "Show no role, and write nothing down for others",
            "something useful to have there, in one to three words",
            "Do not explain it yet",
            "something that would be trouble there, in one to three words",
            "A thing, a condition or an event will do",
            "question to one other person about that person's clues; answers are one sentence",
            "No new clues, and no naming the place",
            "You may lie about your role",
            "Question clues, not people",
            "points at one other person",
        ),
        twice=(
            "No repeats in this circuit: if you repeat one, give another at once, or pass",
            "Say done after your clue, or pass",
        ),
    ),
    "detective-club": Told(
        until="conspirator",
        answers={
            "ready": "ready",
            "first": "Ana",
            "right": "yes",
            "explained": "yes",
            "deal": "done",
            "card": "done",
            "second-card": "done",
            "word": "done",
            "explain": "done",
            "written": "ready",
            "votes": other_than_ana,
        },
        always=(
            "a marker, the vote token that goes with it",
            "pictures. Say ready when all are dealt",
            "In secret, choose a word that 2 of your cards can show. Play the first face up",
            "leave one blank, mix them without following the blank, and deal them closed",
            "a word makes a detective, and a blank page the conspirator",
            "Keep the word to yourselves",
            "look in your notebook and close it",
            "one card, face up in front of you. Then draw back to",
            "your second card, then draw",
        ),
        only={
            ("variant", "explanations"): ("tell us the word, and explain your two cards",),
            ("variant", "pictures only"): (
                "you vote before the word is told, and nobody explains a card",
                "Keep the word to yourselves until after the vote",
            ),
            ("simultaneous_votes", True): ("write down one other player. Not yourself",),
            ("simultaneous_votes", False): (
                "put your vote token by the marker of one other player",
                "Ana does not vote",
            ),
            ("four_cards", True): ("and 4 pictures", "draw back to 4"),
            ("four_cards", False): ("and 6 pictures", "draw back to 6"),
            ("one_sentence", True): (
                "One sentence each for both cards, and no follow-up questions before the vote",
                "explain your two cards in one sentence",
            ),
            ("redo", True): (
                "If the word gets out before all cards are played, say spoiled round",
            ),
        },
        never={
            ("variant", "pictures only"): ("explain your two cards",),
            ("redo", False): ("spoiled round",),
        },
    ),
    "subtext": Told(
        until="agreed-right",
        answers={
            "first": "Ana",
            "right": "yes",
            "number": "one",
            "deal": "done",
            "draw": "ready",
            "lay-out": "done",
            "guess": "ready",
            "partner": "Ben",
            "letter": "B",
            "guesses": "B",
            "correct": "Ben",
        },
        always=(
            "shuffle the word cards, and lay them face down",
            "in your first game number one",
            "guessing tokens A, B",
            "Take one card and remember word 1. Add",
            "cards without looking, shuffle all",
            "keep the card hidden",
            "All of you draw a hint for your own word, the Dealer too. No letters, no digits",
            "your drawing on the left; the others on the right, from A downward",
            "Everyone guesses in secret, the Dealer too. Your own drawing is a fair answer",
            "Push one token forward, face down",
            "turn your token over",
            "Ana, say your word. Partner, point at your drawing",
            "Turn the guesses that are not letter B face down again",
        ),
        only={
            ("redo", True): (
                "If a word gets out, or somebody draws letters or digits, say spoiled",
            )
        },
        never={("redo", False): ("spoiled round",)},
    ),
    "mafia": Told(
        until="dawn",
        answers={"ready": "ready", "morning": "everything is fine", "said": "everything is fine"},
        always=(
            "look once at your own, show it to nobody",
            "Mix a card for each player",
            "The town wins when no Mafia are left",
            "shows the card, says nothing more about the game, and votes no more",
        ),
        only={
            ("mode", "mugs"): ("Put a mug by your card",),
            ("mode", "helper"): ("The helper does not play",),
            ("doctor", True): ("1 Doctor", "a folded blue one", "Doctor, open your eyes"),
            ("detective", True): ("1 Detective", "Detective, open your eyes"),
            ("mafia_needs_more", True): ("when they are more than the others",),
            ("mafia_needs_more", False): ("when they are as many as the others",),
            ("brief", True): ("The Mafia choose somebody who is to be out",),
        },
        never={
            ("doctor", False): ("Doctor",),
            ("detective", False): ("Detective",),
        },
    ),
    "fictionary": Told(
        until="choices",
        answers={"word": "done", "known": "no", "writing": "we are done", "reading": "done"},
        always=(
            "a word that nobody knows",
            "write down a meaning for it that you make up",
            "twice",
        ),
        only={
            ("own_vote", True): ("You may choose your own, but it brings no point",),
            ("own_vote", False): ("Nobody may choose their own",),
        },
    ),
    "two-truths-and-a-lie": Told(
        until="guesses",
        answers={"thinking": "stop the timer", "talk": "stop the timer", "statement": "done"},
        always=(
            "3 statements about yourself, 2 true and 1 false",
            "all but",
            "fingers for the lie",
        ),
    ),
    "scorekeeper": Told(
        until="entry",
        answers={"turn": "done", "so-far": "nobody", "right": "yes"},
        always=("points win", "Say next round to go on", "correct round one to change one"),
        only={
            ("wins", "lowest"): ("The fewest points win",),
            ("wins", "highest"): ("The most points win",),
            ("turns", True): ("begins", "your turn"),
            ("rounds", 1): ("We play 1 round.",),
            ("rounds", 5): ("We play 5 rounds.",),
            ("limit", 1): ("in which somebody has 1 point.",),
            ("limit", 100): ("in which somebody has 100 points.",),
        },
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
    known = {option.name for option in load_game(name).game.options}
    values += [value for value in GAMES[name].only if value[0] in known and value not in values]
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
    assert [rule for rule in told.twice if spoken.count(rule) < 2] == []
    assert [rule for rule in told.never.get(value, ()) if rule in spoken] == []


EXTRA = "Max Ned Ora Pat Quin Rob Sue Tom Uma".split()
"""The largest tables have more seats than the scoring cases have letters."""
