"""Caches that are safe for threads: in memory, of computations, and of encoded views as files."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import threading
import zlib
from collections.abc import Callable, Collection, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast
from uuid import uuid4

from cachetools import LRUCache, cached

from unround.disclosure.model import View

Value = TypeVar("Value")
QUICK = 1  # gzip level: a viewer waits for the first response
logger = logging.getLogger("unround.console")
Owner = tuple[str, str]  # a run, and an area chair or the chairs ("")


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

    def cached_keys(self) -> list[Hashable]:
        """Return the keys of all values in the cache."""
        with self._changes:
            return list(self._values)


class CachedExecutor:
    """A one-thread executor whose results are cached: the `limit` used last are kept.

    >>> squares = CachedExecutor(limit=2)
    >>> squares.get(3, lambda: 3**2, patience=10.0)
    9
    >>> squares.close()
    """

    def __init__(self, limit: int) -> None:
        self._futures: LRUCache[Hashable, Future[Any]] = LRUCache(limit)
        self._guard = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="background")

    def get(self, key: Hashable, make: Callable[[], Value], *, patience: float) -> Value | None:
        """Return the result of a key, or None while it is computed, after `patience` seconds.

        An error of `make` is raised to whoever asks next. The one after that starts anew.
        """
        with self._guard:
            if key not in self._futures:
                self._futures[key] = self._thread.submit(make)
            future: Future[Value] = self._futures[key]
        wait([future], patience)
        if not future.done():
            return None
        if future.exception() is not None:
            with self._guard:
                if self._futures.get(key) is future:
                    del self._futures[key]
        return future.result()

    def close(self) -> None:
        """Stop when the computation under way has ended; others are not begun."""
        self._thread.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True)
class EncodedView:
    """A gzipped response body and its ETag."""

    packed: bytes
    etag: str

    @classmethod
    def of(cls, content: bytes) -> EncodedView:
        """Compress a response body and compute its ETag."""
        return cls(gzip.compress(content, QUICK, mtime=0), _etag(content))

    @classmethod
    def packed_before(cls, packed: bytes) -> EncodedView:
        """Return a body that was compressed before; raises what gzip raises if it is damaged."""
        content = gzip.decompress(packed)
        if not content:  # gzip takes no bytes for the packed form of no bytes
            raise EOFError("an empty file")
        return cls(packed, _etag(content))

    def view(self) -> View:
        """Decode the body again."""
        return cast(View, json.loads(gzip.decompress(self.packed)))


def _etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


class ViewStore:
    """A folder of encoded views, at most one file for each run and viewer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[Owner, str] = {}  # as far as they were used since the start
        self._guard = threading.Lock()

    def get(self, owner: Owner, name: str) -> EncodedView | None:
        """Return a view if its file is there and whole."""
        try:
            found = EncodedView.packed_before((self._folder / name).read_bytes())
        except (OSError, EOFError, zlib.error):
            return None
        self._use(owner, name)
        return found

    def put(self, owner: Owner, name: str, view: EncodedView) -> None:
        """Write a view in place of the viewer's earlier one. A full disk only costs time later."""
        draft = self._folder / f"{name}.{uuid4().hex}"
        try:
            draft.write_bytes(view.packed)
            draft.chmod(0o600)
            draft.replace(self._folder / name)
        except OSError:
            logger.warning("a view could not be kept for the next start", exc_info=True)
            draft.unlink(missing_ok=True)
            return
        self._use(owner, name)

    def keep_only(self, runs: Collection[str]) -> None:
        """Delete the views of all other runs, and files that nobody has used since the start."""
        with self._guard:
            self._names = {owner: name for owner, name in self._names.items() if owner[0] in runs}
            used = set(self._names.values())
            for path in self._folder.iterdir():
                if path.name.partition(".")[0] not in used:
                    path.unlink(missing_ok=True)

    def _use(self, owner: Owner, name: str) -> None:
        with self._guard:
            earlier = self._names.get(owner, name)
            self._names[owner] = name
            if earlier != name and earlier not in self._names.values():
                (self._folder / earlier).unlink(missing_ok=True)
