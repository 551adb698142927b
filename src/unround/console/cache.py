"""The last few things that were made, kept for whoever asks next."""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from unround.report.model import View

Thing = TypeVar("Thing")


@dataclass
class Recent(Generic[Thing]):
    """Things that never change, by key. Whoever asks while one is made waits for it.

    >>> squares = Recent[int](most=2)
    >>> [squares.get(number, lambda: number**2) for number in (3, 4, 3)]
    [9, 16, 9]
    """

    most: int
    _kept: OrderedDict[Hashable, Thing] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """The thing under a key, made if it is not there."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
            return self._kept[key]


MOST_BYTES = 256_000_000
AT_ONCE = 2  # more would only take the processor from each other, and from those who wait for less
QUICK = 1  # gzip's level: the page waits for the first answer


@dataclass(frozen=True)
class Answer:
    """Bytes as they go out, and the mark by which a browser knows them again."""

    packed: bytes
    etag: str

    @classmethod
    def of(cls, content: bytes) -> Answer:
        """Pack what was encoded."""
        return cls(
            gzip.compress(content, QUICK, mtime=0), f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        )

    def view(self) -> View:
        """What the bytes say."""
        return cast(View, json.loads(gzip.decompress(self.packed)))


@dataclass
class Encoded:
    """A cache by key. Two that ask for the same at once make it once."""

    most: int = MOST_BYTES
    _kept: OrderedDict[Hashable, Answer] = field(default_factory=OrderedDict)
    _size: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _few: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(AT_ONCE))
    _making: dict[Hashable, threading.Lock] = field(default_factory=dict)

    def get(self, key: Hashable, make: Callable[[], bytes]) -> Answer:
        """The answer under a key, made if it is not there."""
        known = self._find(key)
        if known is not None:
            return known
        with self._lock:
            turn = self._making.setdefault(key, threading.Lock())
        try:
            with turn:
                known = self._find(key)
                if known is not None:
                    return known
                with self._few:
                    return self._keep(key, Answer.of(make()))
        finally:
            with self._lock:
                self._making.pop(key, None)

    def _find(self, key: Hashable) -> Answer | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: Hashable, answer: Answer) -> Answer:
        with self._lock:
            self._kept[key] = answer
            self._size += len(answer.packed)
            while self._size > self.most and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1].packed)
        return answer
