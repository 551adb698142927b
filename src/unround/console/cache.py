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
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar, cast
from uuid import uuid4

from cachetools import LRUCache, cached

from unround.disclosure.model import View

Value = TypeVar("Value")
QUICK = 1  # gzip level: a viewer waits for the first response
logger = logging.getLogger("unround.console")


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

    def discard(self, key: Hashable, value: Value) -> None:
        """Remove a value, unless another one has its key."""
        with self._changes:
            if self._values.get(key) is value:
                del self._values[key]

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
        self._futures = Cache[Future[Any]](limit)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="background")

    def get(self, key: Hashable, make: Callable[[], Value], *, patience: float) -> Value | None:
        """Return the result of a key, or None while it is computed, after `patience` seconds.

        An error of `make` is raised to whoever asks next. The one after that starts anew.
        """
        future: Future[Value] = self._futures.get(key, lambda: self._thread.submit(make))
        wait([future], patience)
        if not future.done():
            return None
        if future.exception() is not None:
            self._futures.discard(key, future)
        return future.result()

    def close(self) -> None:
        """Stop when the computation under way has ended; others are not begun."""
        self._thread.shutdown(wait=True, cancel_futures=True)


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


class ViewStore:
    """Encoded views as files, so that a restarted server does not make them again.

    A file is named by its run, its viewer, and a hash of all that the view depends on.
    """

    def __init__(self, folder: Path, scratch: Path) -> None:
        self._folder, self._scratch = folder, scratch

    def get(self, run: str, viewer: str, digest: str) -> EncodedView | None:
        """Return a view if its file is there and whole."""
        try:
            kept = EncodedView(self._path(run, viewer, digest).read_bytes())
            return kept if gzip.decompress(kept.packed) else None
        except (OSError, EOFError, zlib.error):
            return None

    def put(self, run: str, viewer: str, digest: str, view: EncodedView) -> None:
        """Write a view in place of the viewer's earlier one. A full disk only costs time later."""
        path = self._path(run, viewer, digest)
        draft = self._scratch / uuid4().hex
        try:
            for earlier in self._folder.glob(self._path(run, viewer, "*").name):
                earlier.unlink(missing_ok=True)
            draft.write_bytes(view.packed)
            draft.chmod(0o600)
            draft.replace(path)
        except OSError:
            logger.warning("a view could not be kept for the next start", exc_info=True)
            draft.unlink(missing_ok=True)

    def keep_only(self, runs: Collection[str]) -> None:
        """Delete the views of all other runs."""
        for path in self._folder.iterdir():
            if path.name.partition(".")[0] not in runs:
                path.unlink(missing_ok=True)

    def _path(self, run: str, viewer: str, digest: str) -> Path:
        return self._folder / f"{run}.{viewer or 'chairs'}.{digest}"
