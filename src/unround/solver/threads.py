"""Blocks of a sweep on several threads: kernels release the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache


def for_each(work: Callable[[int], None], blocks: int) -> None:
    """Do every block; which thread does which has no effect on the result."""
    if blocks == 1 or _threads() == 1:
        for block in range(blocks):
            work(block)
    else:
        list(_pool().map(work, range(blocks)))


@cache
def _threads() -> int:
    """UNROUND_THREADS, or the processors that this process may use."""
    chosen = os.environ.get("UNROUND_THREADS", "")
    if chosen.isdigit() and int(chosen) > 0:
        return int(chosen)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_threads(), thread_name_prefix="unround")


if hasattr(os, "register_at_fork"):
    # A forked process has none of its parent's threads: it makes a pool of its own.
    os.register_at_fork(after_in_child=_pool.cache_clear)
