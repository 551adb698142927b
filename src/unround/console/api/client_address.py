"""The address of whoever sent a request, for the delay after failed attempts to enter.

Anybody can write `X-Forwarded-For`: it counts only when the request comes from a proxy that the
operator named, and only up to the first address that is no such proxy.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.types import Scope

from unround.console.settings import Network

UNKNOWN = "unknown"


def client_address(scope: Scope, proxies: Sequence[Network]) -> str:
    """Return the address of the client, or of the last hop that can be believed."""
    client = scope.get("client")
    address: str = client[0] if client else UNKNOWN
    forwarded = Headers(scope=scope).getlist("x-forwarded-for")
    hops = [hop.strip() for line in forwarded for hop in line.split(",")]
    while hops and _is_among(address, proxies):
        hop = hops.pop()
        if _parsed(hop) is None:
            return address
        address = hop
    return address


def _is_among(address: str, networks: Sequence[Network]) -> bool:
    parsed = _parsed(address)
    return parsed is not None and any(parsed in network for network in networks)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None
