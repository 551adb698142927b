"""Errors of PostgreSQL's driver while it connects, raised as errors of the database."""

from __future__ import annotations

import struct
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import Dialect


def tell_broken_connections(engine: Engine) -> None:
    """Have a connection that breaks before it stands raise the driver's own error, as any other does.

    A server that crashes at that moment is met as an error of the socket, or as an answer cut off.
    """

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Dialect, _record: object, arguments: Any, options: Any) -> Any:
        driver: Any = dialect.dbapi
        try:
            return driver.connect(*arguments, **options)
        except (OSError, struct.error) as error:
            raise driver.InterfaceError("network error") from error
