"""Part `evenings`: whole games at a table where other people talk."""

from __future__ import annotations

from typing import Any

from narrator.app.games import load_game
from narrator.app.rehearse import Plan, sound_world
from narrator.app.wiring.engines import make_synthesiser
from narrator.config.settings import Settings
from narrator.core.effects import Listen
from narrator.core.steps.preview import expected_at
from narrator.core.values import Seat, Value
from narrator.listening.interpreter import Interpreter
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice
from narrator.script.authoring.score import score_case
from narrator.simulation.rehearsal import Rehearsal
from narrator.simulation.report import Report
from narrator.simulation.simulated_players import SimulatedPlayers
from tools.hearing.places import PLAYERS
from tools.hearing.store import Store, table

GAME = "one-night-revolution"
SEEDS = range(1, 11)
SNR = 10.0


def measure(recogniser: Recogniser, store: Store) -> None:
    """Print how ten evenings went, each against the same seed in a quiet room."""
    print(
        f"{GAME}, five players, babble of six eSpeak voices {SNR:.0f} dB below speech (the same "
        "seeds in quiet for comparison). Put right: a wrong hearing that was read back and "
        "corrected. A result is right if it is what the scoring gives for what the players meant "
        "in the end.\n"
    )
    rows = []
    for seed in SEEDS:
        loud = store.get(f"{GAME} {seed} {SNR}", lambda s=seed: play(recogniser, s, SNR))  # type: ignore[misc]
        calm = store.get(f"{GAME} {seed} quiet", lambda s=seed: play(recogniser, s, None))  # type: ignore[misc]
        longer = loud["seconds"] / calm["seconds"] - 1
        rows.append(
            (seed, loud["answers"], loud["again"], loud["most"], loud["typed"], loud["wrong"],
             "yes" if loud["right"] else "**no**", f"{calm['seconds'] / 60:.1f} min",
             f"{calm['again']}", f"{100 * longer:+.0f} %")
        )  # fmt: skip
    table(("seed", "answers", "needed another try", "most tries", "typed", "put right",
           "result right", "in quiet", "tries more in quiet", "length"), rows)  # fmt: skip


def play(recogniser: Recogniser, seed: int, snr: float | None) -> dict[str, Any]:
    """Play one evening; return how it went."""
    loaded = load_game(GAME)
    seats = [Seat(number, name) for number, name in enumerate(PLAYERS, 1)]
    plan = Plan(seats, seed, noise=snr, noise_kind="babble", program=Settings(voice="en"))
    synthesiser = make_synthesiser(Voice("en"))
    try:
        people = SimulatedPlayers(seats, seed)
        world = sound_world(loaded, plan, recogniser, synthesiser)
        report = Rehearsal(loaded.game, seats, people, world, seed=seed).run()
    finally:
        synthesiser.close()
    case: dict[str, Value] = {
        "seats": [*PLAYERS],
        **{name: people.meant(name) for name in ("votes", "informants")},
    }
    due = score_case(loaded.game, case)
    wrong = [a.said for a in report.answers if _misheard(a.step, a.said, a.value, seats)]
    return {
        "answers": len(report.answers),
        "again": sum(a.tries > 1 for a in report.answers),
        "most": max((a.tries for a in report.answers), default=0),
        "typed": sum(a.typed for a in report.answers),
        "wrong": len(wrong),
        "misheard": wrong,
        "right": report.ended == "complete" and agrees(report, due),
        "result": dict(report.result),
        "due": due,
        "seconds": report.seconds,
    }


def agrees(report: Report, due: dict[str, Any]) -> bool:
    """Whether a game ended as the scoring has it."""
    return all(
        report.result.get(key) == value for key, value in due.items() if key in report.result
    )


def _misheard(step: str, said: str, value: object, seats: list[Seat]) -> bool:
    loaded = load_game(GAME)
    listen = Listen(1, expected_at(loaded.game, seats, step), step)
    meaning = Interpreter(seats, loaded.locale).grammar(listen).interpret(said).meaning
    return meaning is not None and meaning.value != value
