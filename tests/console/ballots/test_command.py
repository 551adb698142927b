"""unround ballots: make, status, close, export, also while the server is running."""

from __future__ import annotations

import csv
import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from tests.console.ballots.conftest import Voter
from tests.console.conftest import call_on_data, owner_of
from unround.console.app import make_app
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.database import Database

REVIEWS = """reviewer,reviewer_name,paper,title,score
ann@example.org,Ann Ex,1,One,4
ann@example.org,Ann Ex,2,Two,7
ann@example.org,Ann Ex,3,Three,7
bob@example.org,Bob Ex,1,One,5
bob@example.org,Bob Ex,2,Two,5
cy@example.org,Cy Ex,3,Three,6
"""


class Terminal:
    """Runs commands on one console's data."""

    def __init__(self, settings: ConsoleSettings, folder: Path) -> None:
        self.settings, self.folder = settings, folder
        (folder / "reviews.csv").write_text(REVIEWS)

    def __call__(self, *arguments: Any, fails: bool = False) -> str:
        done = call_on_data(self.settings, "ballots", *arguments)
        assert bool(done.exit_code) == fails, done.output
        return " ".join(done.output.split())

    def make(self, *more: str, fails: bool = False) -> str:
        links = self.folder / "links.csv"
        given = ["--conference", "Conf", "--title", "Rankings", "-o", links]
        return self("make", self.folder / "reviews.csv", *given, *more, fails=fails)

    def links(self) -> dict[str, str]:
        with (self.folder / "links.csv").open(newline="") as file:
            return {row["email"]: row["link"] for row in csv.DictReader(file)}


@pytest.fixture
def terminal(new_settings, tmp_path: Path) -> Terminal:
    return Terminal(new_settings(), tmp_path)


@pytest.mark.slow
def test_from_making_to_exporting_beside_a_running_server(terminal: Terminal, tmp_path: Path):
    told = terminal.make("--days", "3", "--deadline", "2999-01-01")
    assert "2 ballots with 3 papers" in told
    assert "No ballot for 1 reviewer with only one paper" in told
    assert (tmp_path / "links.csv").stat().st_mode & 0o077 == 0
    assert "--force" in terminal.make(fails=True)
    with open_console(terminal.settings) as console:
        ann = Voter(console, make_app(console))
        ann.enter(terminal.links()["ann@example.org"])
        answers = [{"above": "1", "below": "2", "answer": "score"}]
        ann.saved({"groups": [["1"], ["2"]], "answers": answers}, submit=True)
        assert "Conf: Rankings (open): 1 of 2 handed in" in terminal("status")
        assert "Rankings: closed" in terminal("close", "Rankings")
        assert ann.put({"groups": [["2"]]}, 1).status_code == 423
        assert "Rankings: open" in terminal("close", "Rankings", "--reopen")
        ann.saved({"groups": [["2"], ["1"]]})
    assert "1 ballot in" in terminal("export", "Rankings", "-o", tmp_path / "ranks.csv")
    assert (tmp_path / "ranks.csv").read_text().splitlines() == [
        "reviewer,paper,rank",
        "ann@example.org,2,1",
        "ann@example.org,1,2",
    ]
    submitted = ("export", "Rankings", "--to", "pairs", "--submitted", "-o", tmp_path / "none.csv")
    assert "nothing to export" in terminal(*submitted, fails=True)
    assert "there is no collection Other" in terminal("close", "Other", fails=True)


def test_no_table_of_links_that_the_database_does_not_know(terminal: Terminal, monkeypatch):
    terminal.make()
    links = terminal.folder / "links.csv"
    links.unlink()
    writing = Database.writing

    @contextmanager
    def full(database: Database) -> Iterator[Session]:
        with writing(database) as session:
            yield session
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Database, "writing", full)
    terminal.make(fails=True)
    assert not links.exists()


def test_what_is_not_there_is_reported(terminal: Terminal, kind: str, tmp_path: Path):
    if kind == "sqlite":
        assert "is not a console's data folder" in terminal("status", fails=True)
    (tmp_path / "reviews.csv").write_text("reviewer,paper\nann,1\n")
    assert "nothing to rank" in terminal.make(fails=True)
    assert "has passed" in terminal.make("--deadline", "2020-01-01", fails=True)
    assert "leave out --top or --pairs" in terminal.make("--pairs", "--top", "3", fails=True)
    assert not (tmp_path / "links.csv").exists()


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--public-url", "http://[x", "--public-url must be an address"),
        ("--title", "x" * 1_001, "--title: String should have at most"),
        ("--instructions", "nowhere.txt", "no UTF-8 text that can be read"),
    ],
)
def test_collections_that_the_console_would_refuse(terminal: Terminal, option, value, words):
    assert words in terminal.make(option, value, fails=True)


def test_a_collection_in_the_bin_is_not_found(terminal: Terminal):
    terminal.make()
    with open_console(terminal.settings) as console:
        owner = owner_of(console)
        (conference,) = owner.get("/api/conferences").json()
        assert owner.delete(f"/api/conferences/{conference['id']}").is_success
    assert "Rankings" in terminal("close", "Rankings", fails=True)
    terminal.make("--force")  # a new conference of the same name
    terminal("close", "Rankings")
