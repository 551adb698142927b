"""A real PostgreSQL server, started for the tests and gone with them."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pg8000.dbapi

USER = "unround"
# Nothing of it needs to survive: no waiting for the disk.
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=120")


def _program(name: str) -> str:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    path = found or shutil.which(name)
    assert path, f"PostgreSQL's {name} is not installed; `make test` needs it (package postgresql)"
    return str(path)


def _as_server(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root: then it runs as the user that its package made."""
    return command if os.geteuid() else ["runuser", "-u", "postgres", "--", *command]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of a server, to be completed by a database's name."""
    # Not below pytest's folder: that one is closed to other users.
    with tempfile.TemporaryDirectory(prefix="unround-postgresql-") as name:
        folder, port = Path(name), _free_port()
        if not os.geteuid():
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        data = folder / "data"
        arguments = ["-D", str(data), "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"]
        _call([_program("initdb"), *arguments, "--locale=C"])
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 "
        options += " ".join(f"-c {setting}" for setting in QUICK)
        control = [_program("pg_ctl"), "-D", str(data)]
        _call([*control, "-w", "-t", "60", "-l", str(folder / "log"), "-o", options, "start"])
        try:
            yield f"postgresql://{USER}@127.0.0.1:{port}/"
        finally:
            _call([*control, "-m", "immediate", "stop"])


def _call(command: list[str]) -> None:
    done = subprocess.run(
        _as_server(command),
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def new_database(server: str) -> str:
    """The address of a fresh database."""
    port = int(server.rstrip("/").rsplit(":", 1)[1])
    name = f"test_{uuid4().hex}"
    connection = pg8000.dbapi.connect(USER, host="127.0.0.1", port=port, database="postgres")
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute(f"CREATE DATABASE {name}")
    cursor.close()
    connection.close()
    return server + name
