"""What a hostile file may cost: memory is measured here, and pytest's timeout ends what hangs."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from unround.formats.importer import import_files
from unround.formats.model import ImportRefused

MEGABYTES = 200


@contextmanager
def within_bounds() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEGABYTES * 1_000_000


def assert_refused(path: Path, words: str) -> None:
    """Check that reading the file is refused in these words, without filling the memory."""
    with within_bounds(), pytest.raises(ImportRefused, match=words):
        import_files([path])
