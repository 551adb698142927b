"""A real PostgreSQL server, started for the tests and gone with them."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pg8000.dbapi

from tests.console.hosting import free_port

USER = "unround"
# What was committed survives the server's crash, though not the machine's.
DURABLE = ("fsync=off", "synchronous_commit=on", "max_connections=60")
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


class Server:
    """A PostgreSQL server in a folder of its own, which can be stopped and started again."""

    def __init__(self, folder: Path, settings: tuple[str, ...]) -> None:
        self._folder, self.port = folder, free_port()
        self._data = folder / "data"
        self._options = f"-p {self.port} -k {folder} -c listen_addresses=127.0.0.1 "
        self._options += " ".join(f"-c {setting}" for setting in settings)
        arguments = ["-D", str(self._data), "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"]
        _call([_program("initdb"), *arguments, "--locale=C"])

    @property
    def address(self) -> str:
        """To be completed by a database's name."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/"

    def start(self) -> None:
        log = str(self._folder / "log")
        _call([*self._control(), "-w", "-t", "60", "-l", log, "-o", self._options, "start"])

    def stop(self, mode: str) -> None:
        """`fast` ends all connections in order; `immediate` is a crash."""
        _call([*self._control(), "-w", "-m", mode, "stop"])

    def is_running(self) -> bool:
        return (self._data / "postmaster.pid").exists()

    def _control(self) -> list[str]:
        return [_program("pg_ctl"), "-D", str(self._data)]


@contextmanager
def running_server(settings: tuple[str, ...] = QUICK, disk: Path | None = None) -> Iterator[Server]:
    """A server in a folder of its own, or on a disk."""
    # Not below pytest's folder: that one is closed to other users.
    with tempfile.TemporaryDirectory(prefix="unround-postgresql-") as name:
        folder = disk or Path(name)
        if not os.geteuid():
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        server = Server(folder, settings)
        server.start()
        try:
            yield server
        finally:
            if server.is_running():
                server.stop("immediate")


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
