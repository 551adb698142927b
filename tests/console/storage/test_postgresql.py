"""The password of PostgreSQL comes from the environment, as for PostgreSQL's own programs."""

from __future__ import annotations

from typing import Any

import pg8000.dbapi
import pytest
from sqlalchemy.engine import make_url

from tests.console.postgres import USER, new_database
from unround.console.storage.database import Database

URL = make_url("postgresql://chair@db.example.org/unround")


def test_a_password_of_the_url_comes_before_that_of_the_environment(monkeypatch):
    monkeypatch.setenv("PGPASSWORD", "from the environment")
    for password, used in (("given", "given"), (None, "from the environment")):
        database = Database(URL.set(password=password).render_as_string(hide_password=False))
        assert database.url.password == used
    monkeypatch.delenv("PGPASSWORD")
    assert Database(URL.render_as_string()).url.password is None


@pytest.mark.postgres
def test_postgresql_is_entered_with_it(server: str, monkeypatch):
    """The test server trusts everybody, so what the driver is given is looked at."""
    given, connect = [], pg8000.dbapi.connect

    def recorded(*arguments: Any, **options: Any) -> pg8000.dbapi.Connection:
        given.append(options.get("password"))
        return connect(*arguments, **options)

    for name in ("pg8000.connect", "pg8000.dbapi.connect"):
        monkeypatch.setattr(name, recorded)
    monkeypatch.setenv("PGPASSWORD", "from the environment")
    address = new_database(server)
    assert address.startswith(f"postgresql://{USER}@")
    database = Database(address)
    given.clear()
    with database.reading() as session:
        session.connection()
    database.close()
    assert given == ["from the environment"]
