"""Errors of disks, databases and descriptors as statuses and sentences."""

from __future__ import annotations

import errno

import pg8000.dbapi
import pytest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from unround.console.errors import DatabaseTaken, refusal_of, storage_error


def _postgres(code: str, message: str = "words in any language") -> DBAPIError:
    return DBAPIError("SELECT", None, pg8000.dbapi.DatabaseError({"C": code, "M": message}))


def _other(message: str, cause: Exception | None = None) -> DBAPIError:
    error = pg8000.dbapi.InterfaceError(message)
    error.__cause__ = cause
    return DBAPIError("SELECT", None, error)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (_postgres("57P03"), 503, "starting or stopping"),
        (_postgres("57P01"), 503, "starting or stopping"),
        (_postgres("57P02"), 503, "starting or stopping"),
        (_postgres("53300"), 503, "no connection left"),
        (PoolTimeout("limit reached"), 503, "no connection left"),
        (_postgres("55P03"), 503, "locked by another program"),
        (_postgres("53100"), 507, "no room left"),
        (_postgres("08006"), 503, "cannot be reached"),
        (_other("network error"), 503, "cannot be reached"),
        (_other("communication error"), 503, "cannot be reached"),
        (_other("communication error", OSError(errno.EMFILE, "")), 503, "too many files open"),
        (_other("unable to open database file"), 503, "cannot be opened"),
        (OSError(errno.EMFILE, ""), 503, "too many files open"),
        (OSError(errno.ENFILE, ""), 503, "too many files open"),
        (OSError(errno.ENOSPC, ""), 507, "no room left"),
        (DatabaseTaken(), 503, "taken over"),
    ],
)
def test_what_passes_by_itself_and_what_does_not(error, status, words):
    refusal = refusal_of(error, "GET /api/me")
    assert refusal.status_code == status
    assert words in refusal.detail
    assert (refusal.headers == {"Retry-After": "2"}) == (status == 503)


@pytest.mark.parametrize("error", [_postgres("22P02"), ValueError("x"), OSError(errno.ENOENT, "")])
def test_errors_of_our_own_are_not_taken_for_the_databases(error):
    assert storage_error(error) is None
