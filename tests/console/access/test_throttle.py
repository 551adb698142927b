"""The address of a client: believed only from a proxy that was named."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_network
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from tests.console.conftest import World
from unround.console.access.throttle import Throttle
from unround.console.app import make_app

PROXY = (ip_network("127.0.0.1"), ip_network("10.0.0.0/8"))


CASES = [  # the peer, what it says of others, and whose address is believed
    ("192.0.2.1", (), "192.0.2.1"),
    ("192.0.2.1", ("198.51.100.7",), "192.0.2.1"),  # no proxy: a client's own words
    ("127.0.0.1", ("198.51.100.7",), "198.51.100.7"),
    ("127.0.0.1", ("203.0.113.9, 198.51.100.7",), "198.51.100.7"),  # the first one is made up
    ("127.0.0.1", ("203.0.113.9", "198.51.100.7"), "198.51.100.7"),
    ("127.0.0.1", ("198.51.100.7, 10.1.2.3",), "198.51.100.7"),  # two proxies, both named
    ("127.0.0.1", ("2001:db8::1",), "2001:db8::1"),
    ("127.0.0.1", ("10.1.2.3",), "10.1.2.3"),
    ("127.0.0.1", (), "127.0.0.1"),
]


@pytest.mark.parametrize("proxies", [PROXY, ()], ids=["named", "none"])
def test_only_a_named_proxy_is_believed(world: World, monkeypatch, proxies):
    """By the address that has to wait after a failure to enter."""
    console, failed = world.console, list[str]()
    monkeypatch.setattr(console, "settings", replace(console.settings, proxies=proxies))
    throttle = SimpleNamespace(wait=lambda _: 0, failed=failed.append)
    monkeypatch.setattr(console, "throttle", throttle)
    app = make_app(console)
    for peer, forwarded, believed in CASES:
        client = TestClient(app, console.settings.url, client=(peer, 5))
        headers = [("X-Unround", "1"), *(("X-Forwarded-For", hop) for hop in forwarded)]
        answer = client.post("/api/enter", json={"secret": "wrong"}, headers=headers)
        assert answer.status_code == 401
        assert failed.pop() == (believed if proxies else peer), (peer, forwarded)


def test_the_wait_doubles_from_the_third_failure_on_up_to_a_minute():
    throttle, waits = Throttle(lambda: 5.0), []
    for _ in range(11):
        throttle.failed("192.0.2.1")
        waits.append(throttle.wait("192.0.2.1"))
    assert waits == [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_one_host_of_ipv6_is_its_whole_network():
    throttle = Throttle(lambda: 0.0)
    for number in range(3):
        throttle.failed(f"2001:db8::{number}")
    assert throttle.wait("2001:db8::ffff")
    assert not throttle.wait("2001:db8:0:1::1")
