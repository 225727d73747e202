"""A small game written as data, for tests of the engine alone."""

from narrator.core.effects import Effect, Listen, Say
from narrator.core.engine import Engine
from narrator.core.events import SpeechFinished, Start, TimerFired, Transcript
from narrator.core.expect import Meaning
from narrator.core.game import Game, Line, Nudge, Phase, Post, Scoring, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.asked.timer import Early, Timer
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.countdown import Countdown
from narrator.core.steps.spoken.say import Say as SayStep
from narrator.core.steps.spoken.wait import Wait
from narrator.core.steps.values.score import Score
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant, Scope, Seat, Value

SEATS = [Seat(i + 1, name) for i, name in enumerate(["Ana", "Ben", "Cy"])]


class Of:
    """An expression by a Python function: the core is tested without the script language."""

    def __init__(self, function):
        self.function = function

    def __call__(self, scope: Scope) -> Value:
        return self.function(scope)


def text(template: str, role: str = "narration") -> Line:
    return Line(template[:12], Of(lambda scope: template.format(**scope)), role)  # type: ignore[arg-type]


NUDGE = Nudge(Constant(45.0), Constant(30.0), text("{seat}, two words."))


def night() -> tuple[Step, ...]:
    return (
        SayStep("close", text("Eyes closed.")),
        Wait("dark", Constant(3.0)),
        ForEach(
            "turns",
            "seat",
            Of(lambda s: list(s["seats"])),
            (
                SayStep("name", text("{seat}.")),
                Hear("turn", ("task complete",), Of(lambda s: s["seat"]), Constant(3.0), NUDGE),
                Wait("gap", Constant(2.0)),
            ),
        ),
    )


def day() -> tuple[Step, ...]:
    others = Of(lambda s: [x for x in s["seats"] if x != s["seat"]])
    early = Early(("we are done",), Constant(2), text("How many?", "question"))
    return (
        Timer("talk", Constant(300.0), text("Talk."), None, early, text("Time.")),
        Countdown("count", text("three two one vote")),
        Repeat(
            "until-right",
            (
                ForEach(
                    "votes",
                    "seat",
                    Of(lambda s: list(s["seats"])),
                    (
                        Ask(
                            "vote",
                            text("{seat}, whom?", "question"),
                            "seat",
                            "votes",
                            key=Of(lambda s: s["seat"]),
                            seat=Of(lambda s: s["seat"]),
                            allowed=others,
                            refuse=text("Another, please."),
                        ),
                    ),
                ),
                Ask("right", text("Right?", "question"), "yesno", "right", confirms=("votes",)),
            ),
            until=Of(lambda s: s["right"]),
            counter="round",
        ),
        If(
            "lone",
            Of(lambda s: s["round"] == 1),
            (Set("set", (("first_time", Constant(True)),)),),
            (SayStep("corrected", text("Corrected.")),),
        ),
        Score(
            "score",
            Scoring(
                "s", (), (), (("points", Of(lambda s: dict.fromkeys(s["votes"].values(), 1))),)
            ),
        ),
        SayStep("bye", text("{dealer} deals next.")),
    )


def game() -> Game:
    return Game(
        id="small",
        title="Small",
        language="en",
        low=3,
        high=5,
        phases=(Phase("night", night(), eyes_closed=True, cover=True), Phase("day", day())),
        posts=(Post("dealer"),),
        result=(("totals", Of(lambda s: s["totals"])),),
        secrets=frozenset({"hidden"}),
    )


class Driver:
    """Plays a game by hand: every line is heard at once, time is moved by the test."""

    def __init__(self, seed: int = 1, engine: Engine | None = None):
        self.engine = engine or Engine(game(), SEATS, seed=seed)
        self.now = 0.0
        self.effects: list[Effect] = []
        self.said: list[str] = []
        self.listen = Listen(0, (), "")

    def tell(self, event):
        self.take(self.engine.step(event, self.now))

    def take(self, effects):
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Listen):
                self.listen = effect
            elif isinstance(effect, Say):
                self.said.append(effect.text)

    def start(self):
        self.tell(Start())
        self.settle()
        return self

    def settle(self):
        """Let the awaited line be heard, as often as there is one."""
        for _ in range(100):
            awaited = self.engine.state.awaited
            if not awaited or self.engine.is_paused:
                return
            self.now += 1.0
            self.tell(SpeechFinished(awaited))

    def wait(self, seconds):
        until = self.now + seconds
        while (due := self.engine.deadline()) and due.due <= until:
            self.now = max(self.now, due.due)
            self.tell(TimerFired(due.name, due.generation))
            self.settle()
        self.now = max(self.now, until)

    def hear(self, value, intent="answer", *, settle=True):
        self.tell(Transcript("…", Meaning(intent, value), self.listen.listen))
        if settle:
            self.settle()

    def command(self, name, value=None, *, settle=True):
        self.hear(value, f"command:{name}", settle=settle)

    def to_the_day(self):
        self.start()
        self.wait(3)
        for _ in SEATS:
            self.wait(3)
            self.hear("task complete", "phrase")
            self.wait(2)
        return self

    def to_the_votes(self):
        self.to_the_day()
        self.hear("we are done", "phrase")
        self.hear(2)
        return self
