"""What a hostile file may cost."""

import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from unround.formats.importer import import_files
from unround.formats.model import ImportRefused

SECONDS = 20  # on a busy machine, and traced; each takes far less
MEGABYTES = 200


@contextmanager
def within_bounds() -> Iterator[None]:
    began = time.perf_counter()
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEGABYTES * 1_000_000
    assert time.perf_counter() - began < SECONDS


def assert_refused(path: Path, words: str) -> None:
    """Reading the file must say so, soon, and without filling the memory."""
    with within_bounds(), pytest.raises(ImportRefused, match=words):
        import_files([path])
