"""Load modules and end a process without the garbage collector, which has nothing to find there."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Keep the garbage collector from looking through modules while they load, and ever after.

    Modules bring a hundred thousand objects that stay. To look through them again and again takes
    longer than to load some of them.
    """
    loaded, collecting = len(sys.modules), gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if len(sys.modules) > loaded:
            gc.freeze()
        if collecting:
            gc.enable()


def leave_garbage() -> None:
    """Leave what is in memory to the end of the process, rather than look through it once more."""
    gc.freeze()
