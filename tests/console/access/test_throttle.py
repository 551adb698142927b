"""The address of a client: believed only from a proxy that was named."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_network

import pytest
from starlette.testclient import TestClient

from tests.console.conftest import World
from unround.console.access.throttle import Throttle
from unround.console.app import make_app

PROXY = (ip_network("127.0.0.1"), ip_network("10.0.0.0/8"))


@pytest.fixture
def address(world: World, monkeypatch):
    """Return a function that fails to enter, and returns the address that has to wait for it."""

    def failing(peer: str, *forwarded: str, proxies=PROXY) -> str:
        addresses: list[str] = []
        monkeypatch.setattr(
            world.console, "settings", replace(world.console.settings, proxies=proxies)
        )
        monkeypatch.setattr(world.console, "throttle", Throttle())
        monkeypatch.setattr(world.console.throttle, "failed", addresses.append)
        client = TestClient(make_app(world.console), world.console.settings.url, client=(peer, 5))
        headers = [("X-Unround", "1"), *(("X-Forwarded-For", hop) for hop in forwarded)]
        answer = client.post("/api/enter", json={"secret": "wrong"}, headers=headers)
        assert answer.status_code == 401
        return addresses[0]

    return failing


@pytest.mark.parametrize(
    ("peer", "forwarded", "believed"),
    [
        ("192.0.2.1", (), "192.0.2.1"),
        ("192.0.2.1", ("198.51.100.7",), "192.0.2.1"),  # no proxy: a client's own words
        ("127.0.0.1", ("198.51.100.7",), "198.51.100.7"),
        ("127.0.0.1", ("203.0.113.9, 198.51.100.7",), "198.51.100.7"),  # the first one is made up
        ("127.0.0.1", ("203.0.113.9", "198.51.100.7"), "198.51.100.7"),
        ("127.0.0.1", ("198.51.100.7, 10.1.2.3",), "198.51.100.7"),  # two proxies, both named
        ("127.0.0.1", ("2001:db8::1",), "2001:db8::1"),
        ("127.0.0.1", ("10.1.2.3",), "10.1.2.3"),
        ("127.0.0.1", (), "127.0.0.1"),
    ],
)
def test_only_a_named_proxy_is_believed(address, peer, forwarded, believed):
    assert address(peer, *forwarded) == believed


def test_without_a_named_proxy_nobody_is_believed(address):
    assert address("127.0.0.1", "198.51.100.7", proxies=()) == "127.0.0.1"


def test_the_wait_doubles_from_the_third_failure_on_up_to_a_minute():
    throttle, waits = Throttle(lambda: 5.0), []
    for _ in range(11):
        throttle.failed("192.0.2.1")
        waits.append(throttle.wait("192.0.2.1"))
    assert waits == [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
