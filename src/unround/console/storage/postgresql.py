"""Connecting to PostgreSQL: the password, from where its other programs take it, and broken connections.

A password on the command line is seen by everybody on the machine in the list of processes.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import URL, Dialect

from unround.errors import UsageError

PASSWORD, PASSWORD_FILE = "PGPASSWORD", "PGPASSFILE"
PORT = 5432


def with_password(url: URL, environment: Mapping[str, str] = os.environ) -> URL:
    """Return the URL with the password of PGPASSWORD or of the password file, unless it has one."""
    if url.password is not None:
        return url
    password = environment.get(PASSWORD) or _from_file(url, environment)
    return url if password is None else url.set(password=password)


def _from_file(url: URL, environment: Mapping[str, str]) -> str | None:
    """Return the password of the first matching line: host:port:database:user:password."""
    named = environment.get(PASSWORD_FILE)
    path = Path(named) if named else Path.home() / ".pgpass"
    if not path.is_file():
        if named:
            raise UsageError(f"{PASSWORD_FILE} names {path}, which is no file")
        return None
    if sys.platform != "win32" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"others may read the passwords in {path}; run chmod 600 {path}")
    wanted = (url.host or "localhost", str(url.port or PORT), url.database, url.username)
    for line in path.read_text("utf-8").splitlines():
        *fields, password = _fields(line)
        if len(fields) == len(wanted) and all(
            field in ("*", value) for field, value in zip(fields, wanted, strict=True)
        ):
            return password
    return None


def _fields(line: str) -> list[str]:
    r"""Split a line at colons; a backslash makes a colon or a backslash part of a field.

    >>> _fields(r"db.example.org:*:unround:chair:a\:b\\c")
    ['db.example.org', '*', 'unround', 'chair', 'a:b\\c']
    """
    if line.startswith("#"):
        return [""]
    return [
        re.sub(r"\\(.)", r"\1", field) for field in re.findall(r"(?:^|:)((?:\\.|[^:\\])*)", line)
    ]


def wrap_connection_errors(engine: Engine) -> None:
    """Wrap socket errors during connect in the driver's InterfaceError.

    A server that crashes at that moment shows as an error of the socket, or as a message cut off.
    """

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Dialect, _record: object, arguments: Any, options: Any) -> Any:
        driver: Any = dialect.dbapi
        try:
            return driver.connect(*arguments, **options)
        except (OSError, struct.error) as error:
            raise driver.InterfaceError("network error") from error
