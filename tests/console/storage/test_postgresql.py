"""The password of PostgreSQL comes from the environment or a file, as for PostgreSQL's own programs."""

from __future__ import annotations

from typing import Any

import pg8000.dbapi
import pytest
from sqlalchemy.engine import make_url

from tests.console.postgres import USER, new_database
from unround.console.storage.database import Database
from unround.console.storage.postgresql import with_password
from unround.errors import UsageError

URL = make_url("postgresql://chair@db.example.org/unround")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pgpass"
    path.write_text(
        "# passwords\nelsewhere:*:*:*:no\nbroken line\n"
        "db.example.org:5432:unround:chair:a\\:b\\\\c\n*:*:*:*:last\n"
    )
    path.chmod(0o600)
    return path


def test_the_url_comes_first_then_the_variable_then_the_file(file):
    environment = {"PGPASSFILE": str(file)}
    assert with_password(URL, environment).password == "a:b\\c"
    assert with_password(URL.set(username="other"), environment).password == "last"
    environment["PGPASSWORD"] = "said"
    assert with_password(URL, environment).password == "said"
    assert with_password(URL.set(password="given"), environment).password == "given"


def test_no_password_is_none(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert with_password(URL, {}).password is None


def test_a_file_that_others_can_read_is_refused(file):
    file.chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        with_password(URL, {"PGPASSFILE": str(file)})
    with pytest.raises(UsageError, match="is no file"):
        with_password(URL, {"PGPASSFILE": str(file) + "x"})


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
