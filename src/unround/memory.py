"""Tell whether an error means that memory ran out. Imports nothing: there may be no room for more."""

from __future__ import annotations

# How libraries of which each has its own error say it: for data, to load a library, to start a thread.
_SAID = (
    "annot allocate memory",
    "failed to map segment",
    "can't start new thread",
    "out of memory",
    "Resource temporarily unavailable",
    "capacity overflow",
    "memory allocation of",
)


def is_out_of_memory(error: BaseException | None) -> bool:
    """Return whether memory ran out: for data, for a library to load or for a thread to start."""
    while error is not None:
        said = str(error)
        if isinstance(error, MemoryError) or any(words in said for words in _SAID):
            return True
        error = error.__cause__ or error.__context__
    return False


def is_panic(error: BaseException) -> bool:
    """Return whether a library written in Rust gave up: its error is none of Python's `Exception`."""
    return type(error).__name__ == "PanicException"
