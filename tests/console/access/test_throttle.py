"""The address of a client: believed only from a proxy that was named."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from tests.console.conftest import World
from unround.console.access.throttle import Throttle, client_address

PROXY = (ip_network("127.0.0.1"), ip_network("10.0.0.0/8"))


def _address(peer: str | None, *forwarded: str, proxies=PROXY) -> str:
    headers = [(b"x-forwarded-for", one.encode()) for one in forwarded]
    client = None if peer is None else (peer, 5)
    return client_address({"type": "http", "headers": headers, "client": client}, proxies)


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.1", (), "192.0.2.1"),
        ("192.0.2.1", ("198.51.100.7",), "192.0.2.1"),  # no proxy: a client's own words
        ("127.0.0.1", ("198.51.100.7",), "198.51.100.7"),
        ("127.0.0.1", ("203.0.113.9, 198.51.100.7",), "198.51.100.7"),  # the first one is made up
        ("127.0.0.1", ("203.0.113.9", "198.51.100.7"), "198.51.100.7"),
        ("127.0.0.1", ("198.51.100.7, 10.1.2.3",), "198.51.100.7"),  # two proxies, both named
        ("127.0.0.1", ("abc7<script>",), "127.0.0.1"),
        ("127.0.0.1", ("2001:db8::1",), "2001:db8::1"),
        ("127.0.0.1", ("10.1.2.3",), "10.1.2.3"),
        ("127.0.0.1", (), "127.0.0.1"),
        (None, ("198.51.100.7",), "unknown"),
    ],
)
def test_only_a_named_proxy_is_believed(peer, forwarded, address):
    assert _address(peer, *forwarded) == address


def test_without_a_named_proxy_nobody_is_believed():
    assert _address("127.0.0.1", "198.51.100.7", proxies=()) == "127.0.0.1"


def test_made_up_addresses_do_not_escape_the_delay(world: World, monkeypatch):
    throttle = Throttle(lambda: 0.0)
    monkeypatch.setattr(world.console, "throttle", throttle)
    answers = [
        world.nobody().post(
            "/api/enter", json={"secret": "wrong"}, headers={"X-Forwarded-For": f"192.0.2.{one}"}
        )
        for one in range(5)
    ]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 429, 429]
    assert throttle.wait("testclient")
