"""The page's server: who is let in, what is taken, what is refused, and that it stays up."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from narrator.core.effects import Listen
from narrator.ports.page import Press
from narrator.ports.session import Asked, LineBegun, LineEnded, PublicView, Shown, TimerRunning
from tests.adapters.page.conftest import Pages, eventually, question, read_until
from tests.told import ENGLISH

pytestmark = pytest.mark.unit


def test_the_table_shows_everything_without_a_script(pages: Pages) -> None:
    pages.board.observe(LineBegun(0.0, 1, "Ana & <b>Ben</b> begin."))
    pages.board.observe(question(3, "Ana"))
    pages.board.observe(PublicView(0.0, {"seat": "Ana", "totals": {"Ana": 4}, "votes": "SECRET"}))
    pages.board.observe(TimerRunning(0.0, 125.0))
    status, headers, body = pages.ask("GET", "/table")
    assert status == 200
    assert "Ana &amp; &lt;b&gt;Ben&lt;/b&gt; begin." in body
    assert "Say: task complete." in body and "Ana: 4" in body and "2:05" in body
    assert "SECRET" not in body
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "access-control-allow-origin" not in headers


def test_a_late_page_is_sent_what_it_missed_and_what_is_true_now(pages: Pages) -> None:
    pages.board.observe(LineBegun(0.0, 1, "First."))
    first = read_until(pages.events(), "timer")
    ids = [number for number, kind, _ in first if kind == "line"]
    pages.board.observe(LineBegun(1.0, 2, "Second."))
    pages.board.observe(question(5))
    again = read_until(pages.events(last=ids[-1]), "ask")
    assert [data["text"] for _, kind, data in first if kind == "line"] == ["First."]
    assert [data["text"] for _, kind, data in again if kind == "line"] == ["Second."]
    assert again[-1][2]["buttons"] == [["", "task complete", False]]
    strange = read_until(pages.events(last="an-earlier-start.1"), "ask")
    assert [d["text"] for _, k, d in strange if k == "line"] == ["First.", "Second."]


def test_what_happens_is_sent_as_it_happens(pages: Pages) -> None:
    stream = pages.events()
    read_until(stream, "timer")
    pages.board.observe(LineBegun(1.0, 2, "Now."))
    pages.board.observe(LineEnded(2.0, 2, 1.0, complete=True))
    assert [(k, d["id"]) for _, k, d in read_until(stream, "said")] == [("line", 2), ("said", 2)]


def test_a_press_is_handed_on_with_its_seat(pages: Pages) -> None:
    pages.board.observe(question(7, "Ana"))
    assert pages.press(line="", listen=7, by="Ana") == (202, "")
    assert pages.press("2", command="pause", by="Ben") == (202, "")
    assert pages.pressed == [Press("", 7, "Ana"), Press("", -1, "Ben", "pause")]


def test_a_press_that_is_sent_twice_counts_once(pages: Pages) -> None:
    pages.board.observe(question(7))
    assert [pages.press("a", line="", listen=7)[0] for _ in range(3)] == [202, 202, 202]
    assert len(pages.pressed) == 1


@pytest.mark.parametrize(
    ("press", "status", "told"),
    [
        ({"line": "", "listen": 6, "by": "Ana"}, 409, "page late"),
        ({"line": "", "listen": 7, "by": "Ben"}, 409, "page not yours"),
        ({"command": "end_the_game"}, 409, "page late"),
        ({"line": "", "listen": 7, "by": "Zoe"}, 400, ""),
        ({"line": "a\x1b[2J", "listen": 7}, 400, ""),
        ({"line": "a" * 500, "listen": 7}, 400, ""),
        ({"line": 5, "listen": 7}, 400, ""),
        ({"line": "", "listen": "7"}, 400, ""),
    ],
)
def test_a_press_that_cannot_count_is_told_so(
    pages: Pages, press: dict[str, Any], status: int, told: str
) -> None:
    pages.board.observe(question(7, "Ana"))
    assert pages.press(**press) == (status, ENGLISH.line(told) if told else "")
    assert pages.pressed == []


def test_at_night_every_press_has_the_same_answer(pages: Pages) -> None:
    pages.board.observe(question(7, "Ana", eyes_closed=True))
    answers = [
        pages.ask("POST", "/press", f'{{"number":"{n}","line":"","listen":{q},"by":"{by}"}}')
        for n, (q, by) in enumerate([(7, "Ana"), (7, "Ben"), (6, "Ana"), (8, "Ben")])
    ]
    assert answers.count(answers[0]) == len(answers)
    assert answers[0][0] == 202
    assert pages.pressed == [Press("", 7, "Ana")]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil:80"])
def test_another_host_is_refused(pages: Pages, host: str) -> None:
    assert pages.ask("GET", "/table", headers={"Host": host})[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1:8642"])
def test_a_press_from_another_site_is_refused(pages: Pages, origin: str) -> None:
    pages.board.observe(question(7))
    body = '{"number":"1","line":"","listen":7}'
    assert pages.ask("POST", "/press", body, {"Origin": origin})[0] == 403
    assert pages.pressed == []


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/table.html",
        "/static//etc/passwd", "/etc/passwd", "//evil.example/", "/static/page.css%00",
    ],
)  # fmt: skip
def test_no_file_is_served_but_its_own(pages: Pages, path: str) -> None:
    assert pages.ask("GET", path)[0] == 404


@pytest.mark.parametrize("body", [b"x" * 5000, b"\xff\xfe", b"[]", b"7", b"[" * 4000, b""])
def test_a_body_that_is_no_press_is_refused(pages: Pages, body: bytes) -> None:
    assert pages.ask("POST", "/press", body)[0] in (400, 413)
    assert pages.ask("GET", "/hand")[0] == 200


def test_an_endless_body_is_cut_off(pages: Pages) -> None:
    with socket.create_connection(("127.0.0.1", pages.port), timeout=10) as line:
        head = f"POST /press HTTP/1.1\r\nHost: {pages.host}\r\nOrigin: http://{pages.host}\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        sent = 0
        try:
            while sent < 50_000_000:
                line.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")
                sent += 1024
        except OSError:
            pass
        assert sent < 50_000_000
    assert pages.ask("GET", "/hand")[0] == 200


def test_many_connections_that_ask_nothing_lock_nobody_out(pages: Pages) -> None:
    stream = pages.events()
    read_until(stream, "timer")
    idle = [socket.create_connection(("127.0.0.1", pages.port), timeout=10) for _ in range(200)]
    try:
        assert eventually(lambda: pages.ask("GET", "/hand")[0] == 200)
        pages.board.observe(LineBegun(1.0, 2, "Still here."))
        assert read_until(stream, "line")[-1][2]["text"] == "Still here."
    finally:
        for line in idle:
            line.close()


def test_no_more_pages_are_served_than_there_may_be(pages: Pages) -> None:
    for _ in range(64):
        pages.events()
    with pytest.raises(ConnectionError):
        pages.ask("GET", "/hand")
    pages.leave()
    assert eventually(lambda: _is_served(pages))


def _is_served(pages: Pages) -> bool:
    try:
        return pages.ask("GET", "/hand")[0] == 200
    except OSError:
        return False


def test_the_token_of_the_qr_code_becomes_a_cookie(lan_pages: Pages) -> None:
    assert lan_pages.ask("GET", "/table")[:1] == (303,)
    assert lan_pages.ask("GET", "/events")[0] == 303
    assert lan_pages.ask("POST", "/press", "{}")[0] == 403
    assert lan_pages.ask("GET", "/join?key=guessed")[0] == 403
    joining = lan_pages.server.address.joining
    status, headers, _ = lan_pages.ask("GET", "/join" + joining.partition("/join")[2])
    assert (status, headers["location"]) == (303, "/hand")
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert lan_pages.server.address.token not in cookie
    known = {"Cookie": cookie.partition(";")[0]}
    assert lan_pages.ask("GET", "/hand", headers=known)[0] == 200
    assert len(bytes.fromhex(lan_pages.server.address.token)) * 8 == 128


def test_the_six_digits_let_in_and_cannot_be_guessed(lan_pages: Pages) -> None:
    code = lan_pages.server.address.code
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for _ in range(10):
        assert lan_pages.ask("POST", "/join", f"code={wrong}")[0] == 403
    assert lan_pages.ask("POST", "/join", f"code={code}")[0] == 429
    lan_pages.now += 61
    status, headers, _ = lan_pages.ask("POST", "/join", f"code={code}")
    assert status == 303 and headers["set-cookie"].startswith("narrator=")


def test_the_port_is_given_back(pages: Pages) -> None:
    pages.server.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", pages.port), timeout=2)


def test_another_page_takes_a_free_port(pages: Pages) -> None:
    other = Pages(to_the_network=False, port=pages.port)
    try:
        assert other.port != pages.port
        assert other.ask("GET", "/hand")[0] == 200
    finally:
        other.server.close()


def test_what_the_keyboard_is_told_is_not_a_caption(pages: Pages) -> None:
    pages.board.observe(Asked(0.0, Listen(1, (), "day/a"), "command"))
    pages.board.observe(Shown(0.0, "Paused."))
    assert [line["text"] for line in pages.board.lines()] == ["Paused."]


def test_a_page_that_reads_too_slowly_is_dropped_and_takes_it_up_later(pages: Pages) -> None:
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(20)
        slow.connect(("127.0.0.1", pages.port))
        slow.sendall(f"GET /events HTTP/1.1\r\nHost: {pages.host}\r\n\r\n".encode())
        slow.recv(10)
        for number in range(1, 3_001):
            pages.board.observe(LineBegun(0.0, number, f"line {number} " + "x" * 2_000))
        assert pages.ask("GET", "/hand")[0] == 200
        got = b""
        while part := slow.recv(1 << 20):
            got += part
    assert b"line 3000 " not in got
    last = got.rpartition(b"\nid: ")[2].partition(b"\n")[0].decode()
    missed = read_until(pages.events(last=last), "timer")
    assert missed[-2][2]["text"].startswith("line 3000 ")
