"""Take the pictures of the pages in docs/pages, in Debian's Chromium.

    python -m tools.page_pictures

Each is one state of one page at the width of a phone, a tablet and a television. Look at them: a
test cannot tell whether a page is good to read.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.adapters.page.conftest import Pages
from tests.adapters.page.states import SEATS, STATES, answers

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pages"
SIZES = ((360, 740), (768, 1024), (1920, 1080))
SHOWN = ("day", "night", "vote", "points", "result")


def take(browser: Browser, state: str) -> None:
    """Take both pages in one state, in every size."""
    pages = Pages(to_the_network=False, answers=answers, seats=SEATS)
    for update in STATES[state]:
        pages.board.observe(update)
    for width, height in SIZES:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.add_init_script("sessionStorage.setItem('seat', 'Ben')")
        for name in ("table", "hand"):
            page.goto(f"http://{pages.host}/{name}")
            page.wait_for_timeout(300)
            page.screenshot(path=FOLDER / f"{name}-{state}-{width}.png")
        page.close()
    pages.close()


def main() -> None:
    """Take them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        for state in SHOWN:
            take(browser, state)
        browser.close()


if __name__ == "__main__":
    main()
