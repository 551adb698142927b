"""The command: what it prints, what it refuses, and the sample conference."""

from __future__ import annotations

import errno
import fcntl
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner

from tests.console.conftest import PATIENCE
from tests.console.hosting import free_port, waited_for
from tests.formats.systems.test_live import dripping, raw_site
from unround.cli.commands import serve
from unround.cli.group import commands
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.backup import write_backup
from unround.console.storage.database import Database

COMMAND = (sys.executable, "-c", "from unround.cli import main; main()", "serve", "--port", "0")


@pytest.mark.slow
def test_the_demo_opens_by_its_printed_link_and_stops_in_order():
    """systemd stops a service by SIGTERM, and shows another exit code than 0 as a failure."""
    with subprocess.Popen([*COMMAND, "--demo"], stdout=subprocess.PIPE, text=True) as process:
        try:
            link = next(line for line in process.stdout if "/enter#" in line).strip()
            address, secret = re.fullmatch(
                r"(http://127\.0\.0\.1:\d+)/enter#(\S{43})", link
            ).groups()
            assert "Ctrl+C" in process.stdout.readline() + process.stdout.readline()
            with httpx2.Client(
                base_url=address, headers={"X-Unround": "1"}, timeout=PATIENCE
            ) as chair:
                assert chair.post("/api/enter", json={"secret": secret}).status_code == 204
                _check_sample(chair)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
            assert process.stdout.read().splitlines()[-1] == "Stopped."
        finally:
            process.kill()


def _check_sample(chair: httpx2.Client) -> None:
    """Every page has something to show."""
    (conference,) = chair.get("/api/conferences").json()
    path = f"/api/conferences/{conference['id']}"
    made = chair.get(path).json()
    runs = {run["conflicts"]: run for run in made["runs"]}
    assert {run["status"] for run in made["runs"]} == {"done"}
    assert (runs["rankings"]["shared"], runs["scores"]["shared"]) == (True, False)
    assert runs["rankings"]["lam"] != runs["scores"]["lam"]
    people = chair.get(f"{path}/access").json()["area_chairs"]
    assert [one["papers"] for one in people] == [12] * 25
    detail = chair.get(f"/api/runs/{runs['rankings']['id']}").json()
    assert detail["line"] == {"amount": 75, "percent": False, "per_track": False}
    view = chair.get(f"/api/runs/{runs['rankings']['id']}/view").json()
    assert "contradiction" in {issue["kind"] for issue in view["run"]["issues"]}
    assert view["estimates"]
    papers = view["papers"]
    assert len(set(papers["title"])) == len(papers["paper"]) == 300
    assert len(set(papers["track"])) == 5
    marks = chair.get(f"{path}/papers").json()["papers"]
    assert 0 < sum(one["decision"] is not None for one in marks) < 300
    assert any(one["note"] for one in marks)
    assert any(one["tags"] for one in marks)
    assert chair.get(f"{path}/recommendations").json()
    (collection,) = chair.get(f"{path}/collections").json()
    assert collection["ballots"] / 2 >= collection["saved"] > collection["submitted"] > 0


def _refused(*arguments: object) -> str:
    ended = CliRunner().invoke(commands, ["serve", *map(str, arguments)])
    assert ended.exit_code == 2, ended.output
    return ended.output


def test_small_answers_are_sent_at_once():
    """asyncio turns Nagle's delay off only where the protocol is named."""
    with serve._listening("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        told = _refused("--port", other.getsockname()[1], "--data", tmp_path)
    assert "choose another --port" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--database", "mysql://x"), "--database takes a URL such as postgresql://"),
        (("--database", "sqlite:///file.db"), "in the folder that --data names"),
        (("--public-url", "unround.example.org"), "--public-url must be an address"),
        (("--public-url", "https://x.org/below"), "--public-url must be an address"),
    ],
)
def test_addresses_that_make_no_sense(tmp_path, arguments, words):
    assert words in _refused("--port", 0, "--data", tmp_path, *arguments)


def test_a_data_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot be used" in _refused("--port", 0, "--data", tmp_path / "file" / "data")


@pytest.mark.parametrize("revision", ["9999", "a later one", "0100b"])
def test_a_database_of_another_version(tmp_path, revision):
    """Which is not called a later one: nobody knows."""
    database = Database(f"sqlite:///{tmp_path / 'unround.db'}")
    database.migrate()
    with database.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
    database.close()
    told = _refused("--port", 0, "--data", tmp_path)
    assert f"made by another version of unround: its tables are of revision {revision}" in told


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "unround.db").write_bytes(b"hello" * 1000)
    assert "file is not a database" in _refused("--port", 0, "--data", tmp_path)


def test_data_are_for_their_owner_alone_and_for_one_server(tmp_path):
    settings = ConsoleSettings(data=tmp_path / "data")
    (tmp_path / "data").mkdir(mode=0o755)
    (tmp_path / "data" / "unround.db").touch(mode=0o644)
    with open_console(settings):
        files = [*settings.data.iterdir(), *settings.uploads.iterdir()]
        readable = [file.name for file in files if file.stat().st_mode & 0o077]
        assert readable == []
        assert {file.name for file in files} >= {"unround.db", "unround.db-wal", "uploads"}
        assert "used by another" in _refused("--port", 0, "--data", settings.data)


def test_a_database_has_one_server_whatever_its_path(tmp_path):
    """Another start is refused after somebody removed the lock, or linked the database elsewhere."""
    settings, other = ConsoleSettings(data=tmp_path / "data"), tmp_path / "other"
    other.mkdir()
    with open_console(settings):
        (other / "unround.db").symlink_to(settings.sqlite_file)
        (settings.data / "lock").unlink()
        for folder in (settings.data, other):
            started = subprocess.run(
                [*COMMAND, "--data", folder], capture_output=True, text=True, check=False
            )
            assert started.returncode == 2, started.stdout
            assert "used by another" in started.stderr


@pytest.mark.parametrize("call", ["flock", "fcntl"])
def test_a_file_system_without_locks_is_told(tmp_path, monkeypatch, call):
    """As NFS without its lock server. Writers of single files go on, and say so."""
    with open_console(ConsoleSettings(data=tmp_path / "data")):
        pass

    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, call, none)
    for words in (["serve", "--port", "0"], ["forget", "person", "ada@example.org"]):
        ended = CliRunner().invoke(commands, [*words, "--data", str(tmp_path / "data")])
        assert ended.exit_code == 2
        assert "cannot be locked (No locks available)" in ended.output
        assert "name a --data on a local disk" in " ".join(ended.output.split())


def test_a_database_that_is_not_there_and_a_password_on_the_command_line(tmp_path, monkeypatch):
    address = f"postgresql://nobody:secret@127.0.0.1:{free_port()}/none"
    told = _refused("--port", 0, "--data", tmp_path, "--database", address)
    assert "cannot be reached" in told
    assert "PGPASSWORD" in told
    assert "secret" not in told
    monkeypatch.setenv("UNROUND_DATABASE", address)
    told = _refused("--port", 0, "--data", tmp_path)
    assert "PGPASSWORD" not in told
    assert "cannot be reached" in told


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--port", "0"),
        ("backup", "FILE"),
        ("restore", "FILE"),
        ("forget", "person", "ada@example.org"),
        ("ballots", "status"),
    ],
)
def test_every_command_says_the_same_of_a_database_that_is_away(words, tmp_path):
    with open_console(ConsoleSettings(data=tmp_path / "data")) as console:
        write_backup(console.settings, tmp_path / "file")
    address = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    given = [str(tmp_path / "file") if word == "FILE" else word for word in words]
    place = ["--data", str(tmp_path / "new"), "--database", address]
    ended = CliRunner().invoke(commands, [*given, *place])
    assert ended.exit_code == 2
    assert ended.output == (
        "Error: the database cannot be used: The database cannot be reached. Try again in a moment.\n"
    )


def test_others_on_the_network_are_warned_about(tmp_path, capsys):
    serve._greet(ConsoleSettings(data=tmp_path, host="0.0.0.0"), "http://127.0.0.1:8351/enter#x")
    assert "reverse proxy with TLS" in " ".join(capsys.readouterr().err.split())
    behind = ConsoleSettings(data=tmp_path, public_url="https://unround.example.org")
    serve._greet(behind, "https://unround.example.org/enter#x")
    assert capsys.readouterr().err == ""


@pytest.mark.slow
@pytest.mark.parametrize("drips", [False, True])
def test_systems_that_hang_hold_up_neither_pages_nor_the_end(tmp_path: Path, drips: bool):
    """45 requests to a system that says nothing, or a byte at times: two are under way, pages go on."""
    talk = dripping(b"HTTP/1.1 200 OK\r\n") if drips else lambda _, stop: stop.wait(60)
    with raw_site(talk) as system:
        host = system.split("/")[2]
        command = [*COMMAND, "--data", tmp_path, "--system-host", host]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                link = next(line for line in process.stdout if "/enter#" in line).strip()
                address, secret = link.split("/enter#")
                headers = {"X-Unround": "1"}
                with httpx2.Client(base_url=address, headers=headers, timeout=PATIENCE) as owner:
                    assert owner.post("/api/enter", json={"secret": secret}).status_code == 204
                    _hold_up(owner, system)
                began = time.monotonic()
                process.send_signal(signal.SIGTERM)
                assert process.wait(PATIENCE) == 0
                assert time.monotonic() - began < 10
            finally:
                process.kill()


def _hold_up(owner: httpx2.Client, system: str) -> None:
    """Fetch 45 times at once, for three conferences; see that pages are answered meanwhile."""
    made = [owner.post("/api/conferences", json={"name": one}).json()["id"] for one in "abc"]
    body = {"system": "hotcrp", "url": system, "token": "x"}
    refused: list[int] = []

    def fetch(conference: str) -> None:
        with suppress(httpx2.HTTPError):  # of the two that hang, when the server ends
            answer = owner.post(f"/api/conferences/{conference}/fetch", json=body)
            refused.append(answer.status_code)

    for conference in made * 15:
        threading.Thread(target=fetch, args=(conference,), daemon=True).start()
    assert waited_for(lambda: len(refused) == 43)
    assert set(refused) == {409, 503}
    slowest = 0.0
    for page in ("/api/me", "/readyz", "/api/conferences", "/") * 3:
        began = time.monotonic()
        assert owner.get(page).status_code == 200
        slowest = max(slowest, time.monotonic() - began)
    assert slowest < 1
