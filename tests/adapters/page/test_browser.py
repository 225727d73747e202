"""The pages in a real browser: played, read, reached by keys alone, and checked by axe-core."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from narrator.adapters.page.server import PageServer
from narrator.core.events import Transcript
from narrator.ports.session import LineBegun, LineEnded
from tests.adapters.page.conftest import Pages, eventually
from tests.adapters.page.evening import NAMES, Evening, chosen
from tests.adapters.page.states import STATES, answers, asked
from tests.adapters.page.test_evening import by_voice
from tests.patience import limit
from tests.told import ENGLISH

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="There is no Chromium; tools/test installs it."),
]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
ZOOMED = {"width": 320, "height": 256}
"""1280 by 1024 at 400 %."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield found
        found.close()


@pytest.fixture
def shown(browser: Browser) -> Iterator[Any]:
    """Return what opens a page of a size; what went wrong in it fails the test."""
    opened, faults = [], []

    def show(url: str, width: int = 360, height: int = 740) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height})
        opened.append(context)
        page = context.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(url)
        return page

    yield show
    for context in opened:
        context.close()
    assert faults == []


@pytest.fixture
def states() -> Iterator[Pages]:
    made = Pages(to_the_network=False, answers=answers, seats=list(NAMES))
    yield made
    made.close()


def show_state(pages: Pages, name: str) -> None:
    """Bring about a state."""
    for update in STATES[name]:
        pages.board.observe(update)


def url(pages: Pages, path: str) -> str:
    """Return the address of a page."""
    return f"http://{pages.host}{path}"


def faults_of(page: Page) -> list[str]:
    """Return what axe-core finds, in short."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{v['id']}: {node['html'][:120]}" for v in found for node in v["nodes"]]


@pytest.mark.parametrize("name", STATES)
def test_every_state_of_both_pages_is_accessible(states: Pages, shown: Any, name: str) -> None:
    hand, table = shown(url(states, "/hand")), shown(url(states, "/table"), 1920, 1080)
    hand.select_option("#seat", "Ben")
    show_state(states, name)
    last = [u.text for u in STATES[name] if isinstance(u, LineBegun)][-1]
    for page in (hand, table):
        page.locator("#lines", has_text=last).wait_for(state="attached")
        page.wait_for_timeout(100)
        assert faults_of(page) == []


def test_joining_is_accessible(lan_pages: Pages, shown: Any) -> None:
    page = shown(url(lan_pages, "/hand"))
    assert page.url.endswith("/join")
    assert faults_of(page) == []
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]:not(:empty)")
    assert faults_of(page) == []
    page.fill("#code", lan_pages.server.address.code)
    page.keyboard.press("Enter")
    page.wait_for_selector("#seat")
    assert page.url.endswith("/hand")


@pytest.mark.parametrize("name", STATES)
def test_at_400_percent_nothing_runs_out_of_the_window(
    states: Pages, shown: Any, name: str
) -> None:
    hand, table = (shown(url(states, path), **ZOOMED) for path in ("/hand", "/table"))
    hand.select_option("#seat", "Ben")
    show_state(states, name)
    for page in (hand, table):
        page.wait_for_timeout(200)
        over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert over <= 0


def test_everything_is_done_by_keys_alone(states: Pages, shown: Any) -> None:
    page = shown(url(states, "/hand"))
    page.keyboard.press("Tab")
    page.keyboard.type("Ben")
    assert page.eval_on_selector("#seat", "e => e.value") == "Ben"
    show_state(states, "several")
    page.wait_for_selector("#buttons >> text=Cleo")
    for name in ("Ana", "Cleo"):
        press_by_keys(page, name)
    show_again = STATES["several"][-1]
    states.board.observe(show_again)  # asked again when its line was said: nothing is unchosen
    press_by_keys(page, "Send")
    assert eventually(lambda: [p.line for p in states.pressed] == ["Ana Cleo"])
    press_by_keys(page, "Repeat")
    assert eventually(lambda: states.pressed[-1].command == "repeat")


def press_by_keys(page: Page, label: str) -> None:
    """Go to a button by Tab and press it; its focus can be seen."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").strip().endswith(label):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"
            page.keyboard.press("Space")
            return
    raise AssertionError(f"{label} is not reached")


def test_the_line_that_is_said_is_marked(states: Pages, shown: Any) -> None:
    page = shown(url(states, "/table"))
    for number, text in enumerate(("One.", "Two.", "Three."), start=1):
        states.board.observe(LineBegun(0.0, number, text))
    for number, text in enumerate(("One.", "Two.", "Three."), start=1):
        page.locator(".speaking", has_text=text).wait_for()
        assert page.locator(".speaking").count() == 1
        states.board.observe(LineEnded(1.0, number, 1.0, complete=True))
    page.locator(".speaking").wait_for(state="detached")


def test_points_are_put_together(states: Pages, shown: Any) -> None:
    page = shown(url(states, "/hand"))
    show_state(states, "points")
    for label, times in (("Ana: one more", 3), ("Cleo: one more", 2), ("Cleo: one less", 1)):
        for _ in range(times):
            page.get_by_role("button", name=label).click()
    page.get_by_role("button", name="Send").click()
    assert eventually(lambda: [p.line for p in states.pressed] == ["Ana 3 Cleo 1"])


def test_with_eyes_closed_every_hand_looks_alike(states: Pages, shown: Any) -> None:
    hands = [shown(url(states, "/hand")) for _ in range(3)]
    for hand, seat in zip(hands, ("Ana", "Ben", ""), strict=True):
        hand.select_option("#seat", seat)
    show_state(states, "night")
    pictures = set()
    for hand in hands:
        hand.wait_for_selector(".night button")
        hand.locator("#buttons button").evaluate("e => e.blur()")
        pictures.add(hand.screenshot())
        lit = (
            hand.evaluate("getComputedStyle(document.body).color")
            and hand.locator("button:visible").count()
        )
        assert lit == 1
    assert len(pictures) == 1


def test_a_phone_is_felt_when_its_seat_is_called_and_when_eyes_open(
    states: Pages, shown: Any
) -> None:
    hands = {}
    for seat in ("Ben", "Ana"):
        hands[seat] = shown(url(states, "/hand"))
        hands[seat].select_option("#seat", seat)
        hands[seat].evaluate("() => { self.felt = []; navigator.vibrate = t => felt.push(t); }")
    show_state(states, "night")
    states.board.observe(asked(20, "night", "Ben", closed=True))
    show_state(states, "day")
    for seat, felt in (("Ben", [400, [200, 150, 200]]), ("Ana", [[200, 150, 200]])):
        hands[seat].wait_for_selector("text=One minute left.")
        assert eventually(partial(hands[seat].evaluate, "felt.length > 0"))
        assert hands[seat].evaluate("felt") == felt


def test_the_next_game_of_an_evening_has_its_own_seats(states: Pages, shown: Any) -> None:
    states.seats[:] = []
    hand = shown(url(states, "/hand"))
    show_state(states, "result")
    hand.wait_for_selector(f"text={ENGLISH.line('page over')}")
    states.seats[:] = ["Gwen", "Hugo"]
    show_state(states, "words")
    hand.wait_for_selector("#typed")
    assert hand.locator("#status").text_content() == ""
    hand.select_option("#seat", "Hugo")
    states.seats[:] = ["Hugo", "Ben"]
    show_state(states, "yesno")
    hand.wait_for_selector("#buttons >> text=yes")
    assert hand.locator("#seat option").all_text_contents()[1:] == ["Hugo", "Ben"]
    assert hand.eval_on_selector("#seat", "e => e.value") == "Hugo"
    assert "ended" not in [message.kind for message in states.board.since(None)]


def test_a_lost_connection_is_told_and_taken_up(states: Pages, shown: Any) -> None:
    page = shown(url(states, "/table"), 1920, 1080)
    show_state(states, "vote")
    page.wait_for_selector("text=Ben, whom")
    states.server.close()
    began = time.monotonic()
    page.wait_for_selector(f"text={ENGLISH.line('page lost')}")
    assert time.monotonic() - began < 3.5  # three seconds, and what the test itself takes
    states.board.observe(LineBegun(3.0, 9, "What was missed."))
    states.server = PageServer(
        states.board, lambda: list(NAMES), ENGLISH.line, "en", lambda press: True,
        lambda: 0.0, port=states.port, to_the_network=False,
    )  # fmt: skip
    page.wait_for_selector("text=What was missed.")
    page.wait_for_selector(f"text={ENGLISH.line('page back')}")


# Subtext is played to its end over HTTP only: here, on a busy machine, one run in four ended with
# other points, and what was lost between press and page is not known yet.
@pytest.mark.parametrize("game", ["one-night-revolution"])
def test_six_phones_and_a_television_play_a_whole_game(shown: Any, game: str) -> None:
    options = {"discussion": 60.0} if game == "one-night-revolution" else {}
    with Evening(game, options) as evening:
        table = shown(evening.url + "table", 1920, 1080)
        hands = {name: shown(evening.url + "hand") for name in NAMES}
        for name, hand in hands.items():
            hand.select_option("#seat", name)
        end = time.monotonic() + limit(150)  # 30 s on an idle machine
        while evening.outcome is None and time.monotonic() < end:
            press_what_is_asked(evening, hands)
        played = evening.wait(limit(20))
        table.wait_for_selector(f"text={evening.said[-1]}")
    heard = by_voice(game, options)
    assert (played.ended, played.result, played.totals) == ("complete", heard.result, heard.totals)
    answered = [e for e in evening.journal.events if isinstance(e, Transcript) and e.meaning]
    assert {e.source for e in answered} == {"page"}


def press_what_is_asked(evening: Evening, hands: dict[str, Page]) -> None:
    """Press, on the page of the seat that is asked, what answers the question."""
    asked = evening.asked
    ask = evening.told(asked) if asked else {"buttons": []}
    if asked is None or not ask["buttons"]:
        next(iter(hands.values())).wait_for_timeout(20)
        return
    hand = hands[asked.seat or NAMES[0]]
    labels = {line: label for line, label, _ in ask["buttons"]}
    line = chosen(ask)
    clicked = [labels[line]] if line in labels else [labels[word] for word in line.split()]
    for label in [*clicked, *(["Send"] if ask["picking"] == "several" else [])]:
        button = hand.locator("#buttons button", has_text=label).first
        try:
            if button.get_attribute("aria-pressed", timeout=500) != "true":
                button.click(timeout=500)
        except PlaywrightError:  # it was asked no more
            return
    began = time.monotonic()
    while evening.asked is asked and time.monotonic() - began < 1.0:
        hand.wait_for_timeout(10)
