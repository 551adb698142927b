"""Worker processes end with the process that started them, however that one ended."""

from __future__ import annotations

import os
import threading
import time
from functools import cache

SECONDS = 0.5


@cache
def end_with(parent: int) -> None:
    """End this process soon after its parent has. A killed parent cannot tell its workers."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    # Whoever outlives its parent gets another one.
    while os.getppid() == parent:
        time.sleep(SECONDS)
    os._exit(1)
