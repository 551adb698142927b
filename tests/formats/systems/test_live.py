"""Answers of conference systems that nobody expects: each is one sentence, in time."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import pytest

from tests.formats.systems.live_site import Answer, live_site
from unround.formats import live
from unround.formats.live import Address, Site
from unround.formats.model import ImportRefused
from unround.formats.systems import pretalx

DEEP = b"[" * 200_000
SECONDS = 1.5


@contextmanager
def raw_site(talk: Callable[[socket.socket, Event], None]) -> Iterator[str]:
    """A site that sends what it wants after a request; yield its address."""
    stop, listener = Event(), socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                Thread(target=answer, args=(connection,), daemon=True).start()

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(65_536)
            talk(connection, stop)

    Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/conf"
    finally:
        stop.set()
        listener.close()


def refusal(url: str, act: Callable[[Site], object] = lambda site: site.get_json("x")) -> str:
    with pytest.raises(ImportRefused) as refused:
        act(Site(Address("hotcrp", url), "token", "a chair's token"))
    return str(refused.value)


HEAD = b"HTTP/1.1 200 OK\r\n"
ODD = {
    "a length that is no number": (HEAD + b"Content-Length: abc\r\n\r\n{", "is no JSON object"),
    "a negative length": (HEAD + b"Content-Length: -5\r\n\r\n{", "is no JSON object"),
    "deep JSON": (HEAD + b"\r\n" + DEEP, "is no JSON object"),
    "an error in deep JSON": (b"HTTP/1.1 500 Oh\r\n\r\n" + DEEP, "it answers 500: Oh"),
    "an error cut off": (
        b"HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "it answers 500: Oh",
    ),
    "an error without chunks": (
        b"HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        "it answers 500: Oh",
    ),
    "chunks cut off": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab", "broke off"),
    "no HTTP": (b"hello\r\n\r\n", "broke off"),
    "nothing": (b"", "broke off"),
    "an endless line": (HEAD + b"X: " + b"a" * 100_000, "broke off"),
    "a page": (HEAD + b"\r\n<html>", "is no JSON object; is http://127.0.0.1"),
    "a list": (HEAD + b"\r\n[1, 2]", "is no JSON object; is http://127.0.0.1"),
    "sent on": (
        b"HTTP/1.1 302 x\r\nLocation: https://elsewhere.example/\r\n\r\n",
        "sends us on to https://elsewhere.example/; name that address if you trust it",
    ),
    "a port that is none": (b"HTTP/1.1 302 x\r\nLocation: http://[x\r\n\r\n", "sends us on"),
}


@pytest.mark.parametrize("kind", ODD)
def test_a_strange_answer_is_a_sentence(kind: str):
    sent, words = ODD[kind]
    with raw_site(lambda connection, _: connection.sendall(sent)) as url:
        assert words in refusal(url)


def test_what_a_system_says_is_safe_in_a_terminal():
    answer = Answer(b'{"detail": "\\u001b[31mRed\\u202eder\\u0007 \\n end"}', 403)
    with live_site(lambda _: answer) as site:
        said = refusal(site.url)
    assert "it answers 403:  [31mRedder" in said
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e]", said)
    odd = b"HTTP/1.1 302 x\r\nLocation: \x1b]0;x\x07\r\n\r\n"
    with raw_site(lambda connection, _: connection.sendall(odd)) as url:
        assert "\x1b" not in refusal(url)


def dripping(start: bytes) -> Callable[[socket.socket, Event], None]:
    def talk(connection: socket.socket, stop: Event) -> None:
        connection.sendall(start)
        while not stop.wait(0.2):
            connection.sendall(b"1")

    return talk


@pytest.mark.slow
@pytest.mark.parametrize(
    "start",
    [
        b"",
        HEAD,
        HEAD + b"X: ",
        HEAD + b"\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 500 Oh\r\n\r\n",
    ],
)
def test_an_answer_that_never_ends_is_ended_in_time(start: bytes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live, "SECONDS", SECONDS)
    with raw_site(dripping(start)) as url:
        began = time.monotonic()
        words = refusal(url)
        assert time.monotonic() - began < SECONDS + 3
        assert "no complete answer within 1.5 seconds" in words or "it answers 500" in words


@pytest.mark.slow
@pytest.mark.parametrize("talk", [dripping(b""), lambda _, stop: stop.wait(20)])
def test_a_greeting_that_never_ends_is_ended_in_time(talk, monkeypatch: pytest.MonkeyPatch):
    """Before TLS is agreed on, too."""
    monkeypatch.setattr(live, "SECONDS", SECONDS)
    with raw_site(talk) as url:
        began = time.monotonic()
        words = refusal(url.replace("http:", "https:"))
        assert time.monotonic() - began < SECONDS + 3
    assert "no complete answer" in words or "cannot be reached" in words


@pytest.mark.slow
def test_the_time_is_for_all_requests_together_and_begins_anew_with_what_is_written(monkeypatch):
    monkeypatch.setattr(live, "SECONDS", SECONDS)

    def slow(_asked: object) -> Answer:
        time.sleep(0.6)
        return Answer()

    def read(site: Site) -> None:
        for _ in range(5):
            site.get_json("x")

    with live_site(slow) as running:
        assert "no complete answer" in refusal(running.url, read)
        site = Site(Address("hotcrp", running.url), "token", "a chair's token")
        for _ in range(4):
            assert site.post("x", b"", "text/csv") == {}


def test_pages_without_an_end_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pretalx, "MOST_PAGES", 5)
    with live_site(lambda _: Answer(b'{"results": [], "next": "x"}')) as site:
        words = refusal(site.url, lambda one: list(pretalx._pages(one, "reviews/")))
    assert "reviews/ has more than 5 pages" in words
    assert len(site.requests) == 5
