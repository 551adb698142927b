"""The one exception tree.

UnroundError
├── UsageError      an argument that makes no sense: a negative λ, an unknown policy
├── InputRefused    the data cannot be used as they are; carries every issue found
│   └── ImportRefused   a file cannot be read as what it should be (in formats.model); has no issues
├── NotSolved       the requested precision was not proven; carries the result that was reached
├── NotWritten      the system did not let a file be written: disk full, permission denied
└── ClusterLost     the Dask cluster went away during the work
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from unround.issues import Issue, describe
from unround.wording import PYTHON, current_audience, option

if TYPE_CHECKING:
    from unround.result import Result


class UnroundError(Exception):
    """Base of every error that unround raises on purpose.

    >>> import unround
    >>> issubclass(unround.InputRefused, unround.UnroundError)
    True
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to unpickle the error. Not by calling its class, which may not take a message."""
        return _with_message, (type(self), self.args), self.__dict__


def _with_message(kind: type[UnroundError], args: tuple[Any, ...]) -> UnroundError:
    return kind.__new__(kind, *args)


class UsageError(UnroundError, ValueError):
    """An argument that makes no sense.

    >>> import unround
    >>> unround.Scale([])
    Traceback (most recent call last):
        ...
    unround.errors.UsageError: a scale needs at least one level
    """


class InputRefused(UnroundError, ValueError):
    """The data cannot be used as they are. `issues` holds every issue that was found in tables.

    `ImportRefused`, about files that cannot be read, is one too, without issues.

    >>> import polars as pl, unround
    >>> twice = pl.DataFrame({"reviewer": ["r", "r"], "paper": ["p", "p"], "score": [3, 4]})
    >>> try:
    ...     unround.dequantize(twice)
    ... except unround.InputRefused as refused:
    ...     print(refused.issues[0].kind)
    duplicate-review
    """

    def __init__(self, issues: Sequence[Issue], message: str = "") -> None:
        self.issues = tuple(issues)
        super().__init__(message or describe(self.issues))


class NotSolved(UnroundError, RuntimeError):
    """The requested precision could not be proven. `result` is what was reached.

    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 2], "paper": [7, 7], "score": [3, 5]})
    >>> try:
    ...     unround.dequantize(reviews, lam=1.0, tolerance=1e-30)
    ... except unround.NotSolved as stopped:
    ...     print(stopped.result.certificate.max_error < 1e-12)
    True
    """

    def __init__(self, result: Result, tolerance: float) -> None:
        self.result = result
        proven = result.certificate.max_error
        in_python = current_audience() is PYTHON
        way = ", or read the result from this error's `result`" if in_python else ""
        super().__init__(
            f"asked for scores within {tolerance:g} of the smallest level spacing "
            f"({result.scale.spacing:g}), but only {proven:.3g} could be proven "
            f"(λ = {result.lam:g}, {result.certificate.sweeps} sweeps); "
            f"allow a larger {option('tolerance')}{way}"
        )


class NotWritten(UnroundError, OSError):
    """The system did not let a file or folder be written. The message says why, and what is there now."""


class ClusterLost(UnroundError, RuntimeError):
    """The Dask cluster went away during the work. Nothing was written, earlier results stand."""
