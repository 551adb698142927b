"""Tell whether memory ran out. Little is imported: there may be no room for more."""

from __future__ import annotations

# How libraries of which each has its own error say it: for data, to load a library, to start a thread.
_SAID = (
    "annot allocate memory",
    "failed to map segment",
    "can't start new thread",
    "out of memory",
    "Resource temporarily unavailable",
    "nable to allocate",
    "MemoryError",
)
_CLOSE = (
    100_000_000  # bytes: a library asks for so much at once when it is loaded or starts threads
)


def is_out_of_memory(error: BaseException | None) -> bool:
    """Return whether memory ran out: for data, for a library to load or for a thread to start."""
    while error is not None:
        said = str(error)
        if isinstance(error, MemoryError) or any(words in said for words in _SAID):
            return True
        error = error.__cause__ or error.__context__
    return False


def address_limit() -> int | None:
    """Return how many bytes of addresses the process may have (ulimit -v); None where there is no limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def was_short_of_memory() -> bool:
    """Return whether the process came close to the limit of its addresses, if it has one.

    Errors of libraries then need not say what they come from.
    """
    limit = address_limit()
    return limit is not None and _highest_addresses() + _CLOSE > limit


def _highest_addresses() -> int:
    """Return how many bytes of addresses the process had at most; 0 where that is not known."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            found = [line.split()[1] for line in status if line.startswith("VmPeak:")]
    except OSError:
        return 0
    return 1024 * int(found[0]) if found else 0


def is_panic(error: BaseException) -> bool:
    """Return whether a library written in Rust gave up: its error is none of Python's `Exception`."""
    return type(error).__name__ == "PanicException"
