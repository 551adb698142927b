"""A cache that is safe for threads, and encoded views."""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar, cast

from cachetools import LRUCache, cached

from unround.disclosure.model import View

Value = TypeVar("Value")
QUICK = 1  # gzip level: a viewer waits for the first response


class Cache(Generic[Value]):
    """A least-recently-used cache of values that never change.

    A missing value is made once: whoever asks for the same key meanwhile waits for it. `limit` counts
    values, or the total of `size` where that is given. A value above the limit is kept alone.

    >>> squares = Cache[int](limit=2)
    >>> [squares.get(number, lambda: number**2) for number in (3, 4, 3)]
    [9, 16, 9]
    """

    def __init__(self, limit: int, size: Callable[[Value], int] = lambda _: 1) -> None:
        self._values: LRUCache[Hashable, Value] = LRUCache(
            limit, lambda value: min(size(value), limit)
        )
        self._changes = threading.Condition()
        self._get = cached(self._values, lambda key, _make: key, condition=self._changes)(
            lambda _key, make: make()
        )

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of a key; make and keep it if it is missing."""
        return cast(Value, self._get(key, make))

    def kept(self, key: Hashable) -> Value | None:
        """Return the value of a key, or None if it is missing."""
        with self._changes:
            return self._values.get(key)

    def cached_keys(self) -> list[Hashable]:
        """Return the keys of all values in the cache."""
        with self._changes:
            return list(self._values)


@dataclass(frozen=True)
class EncodedView:
    """A gzipped response body and its ETag."""

    packed: bytes

    @classmethod
    def of(cls, content: bytes) -> EncodedView:
        """Compress a response body."""
        return cls(gzip.compress(content, QUICK, mtime=0))

    @cached_property
    def etag(self) -> str:
        """The ETag of the body."""
        return f'"{hashlib.sha256(self.packed).hexdigest()[:32]}"'

    def view(self) -> View:
        """Decode the body again."""
        return cast(View, json.loads(gzip.decompress(self.packed)))
