"""Refuse work on files in a process that was forked while polars had threads: it would hang."""

from __future__ import annotations

import os
import re
from pathlib import Path

from unround.errors import UsageError

_TASKS = Path("/proc/self/task")
_state = {"had_threads": False, "lost_threads": False}


def check_threads() -> None:
    """Raise UsageError where polars would wait for threads that a fork has not copied."""
    if _state["lost_threads"]:
        raise UsageError(
            "this process was forked from one that had used polars, whose threads a fork does not "
            "copy: reading and writing files would wait for them for ever. Start worker processes "
            'with multiprocessing.get_context("spawn") or "forkserver" instead of "fork".'
        )


def _before_fork() -> None:
    """Note whether the threads of polars are running, where the system lists threads."""
    names = (task / "comm" for task in (_TASKS.iterdir() if _TASKS.is_dir() else ()))
    _state["had_threads"] = any(_is_of_polars(name) for name in names)


def _is_of_polars(name: Path) -> bool:
    try:
        return re.fullmatch(r"polars-\d+", name.read_text("utf-8").strip()) is not None
    except OSError:  # the thread has ended
        return False


def _in_child() -> None:
    _state["lost_threads"] |= _state["had_threads"]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_in_child)
