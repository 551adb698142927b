"""A console on each database, and the people who use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from click.testing import CliRunner, Result
from sqlalchemy import select
from starlette.testclient import TestClient

from tests.console.client import HEADERS, PATIENCE, Client
from tests.console.hosting import waited_for
from tests.console.postgres import new_database, running_server
from tests.console.sample import CHAIRS, Sample, make_sample
from unround.cli.group import commands
from unround.console.app import make_app
from unround.console.context import Console
from unround.console.server import open_console, start_link
from unround.console.settings import ConsoleSettings
from unround.console.storage.orm import RunFileRow, RunRow, new_id, now

# Files whose tests have nothing to do with the database, and run on one.
ON_ONE_DATABASE = (
    "test_downloads",
    "test_middleware",
    "test_monitoring",
    "test_new_page",
    "test_systems",
)
BUNDLE = {"report.js": "window.drawn = true;", "report.css": "body { margin: 0; }"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the second database for tests that have nothing to do with it."""
    repeated = [
        item for item in items if item.path.stem in ON_ONE_DATABASE and "postgresql" in item.name
    ]
    config.hook.pytest_deselected(items=repeated)
    items[:] = [item for item in items if item not in repeated]


@pytest.fixture(scope="session", autouse=True)
def one_event_loop() -> Iterator[None]:
    """Requests of all people run in one event loop: else each would start a thread and a loop."""
    with start_blocking_portal() as Person.portal:
        yield
    Person.portal = None


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of PostgreSQL, to be completed by a database's name."""
    with running_server() as started:
        yield started.address


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def front_end(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stand-ins for the built pages."""
    folder = tmp_path_factory.mktemp("front-end")
    for name, text in BUNDLE.items():
        (folder / "report").mkdir(exist_ok=True)
        (folder / "report" / name).write_text(text)
    (folder / "console" / "assets").mkdir(parents=True)
    (folder / "console" / "index.html").write_text("<!doctype html><title>the console</title>")
    (folder / "console" / "assets" / "index-1a2b.js").write_text("export {};")
    return folder


@pytest.fixture(scope="session")
def new_settings(
    kind: str, front_end: Path, tmp_path_factory: pytest.TempPathFactory, request
) -> Callable[..., ConsoleSettings]:
    """ConsoleSettings of a console with a data folder and a database of its own."""

    def make(**changes: Any) -> ConsoleSettings:
        if kind == "postgresql":
            changes = {"database": new_database(request.getfixturevalue("server")), **changes}
        data = tmp_path_factory.mktemp("data")
        return ConsoleSettings(**{"data": data, "front_end": front_end, **changes})

    return make


class Person(Client, TestClient):
    """A browser of ours: it sends the header that our pages send."""

    def __init__(self, console: Console, app: Any = None, **options: Any) -> None:
        self.console = console
        TestClient.__init__(
            self,
            app or make_app(console),
            base_url=console.settings.url,
            headers=HEADERS,
            raise_server_exceptions=False,
            **options,
        )

    def access(self, conference: str) -> dict[str, Any]:
        return self.get(f"/api/conferences/{conference}/access").json()

    def log(self, conference: str) -> list[dict[str, str]]:
        """Who did what, newest first."""
        return self.get(f"/api/conferences/{conference}/log").json()

    def audit(self, run: str, name: str) -> Any:
        """Ask for an audit of a run until it is done."""
        path = f"/api/runs/{run}/{name}"
        return waited_for(lambda: self.get(path).json()["audit"], PATIENCE)

    def run(self, conference: str, files: list[str], **options: Any) -> dict[str, Any]:
        """Start a run and wait for its end."""
        run = self.start(conference, files, **options)
        assert self.console.supervisor.wait(run, PATIENCE)
        return self.get(f"/api/runs/{run}").json()

    def check(self, conference: str, files: list[str], **options: Any) -> dict[str, Any]:
        wanted = {"files": files, **options}
        started = self.made(f"/api/conferences/{conference}/checks", wanted, 202)
        assert self.console.supervisor.wait(started["id"], PATIENCE)
        return self.get(f"/api/checks/{started['id']}").json()


def owner_of(console: Console, app: Any = None) -> Person:
    """The server's owner, who came by the link that it prints."""
    return Person(console, app).enter(start_link(console))


def call_on_data(settings: ConsoleSettings, *words: object, answer: str | None = None) -> Result:
    """Call a command on the data of a console."""
    place = ["--data", settings.data]
    place += ["--database", settings.database] if settings.database else []
    return CliRunner().invoke(commands, list(map(str, [*words, *place])), input=answer)


@dataclass
class World:
    """A console with a finished conference, the server's owner (`chair`) and its area chairs."""

    console: Console
    app: Any
    sample: Sample
    chair: Person
    conference: str = ""
    files: list[str] = field(default_factory=list)
    run: str = ""  # shared
    hidden: str = ""  # not shared
    area_chairs: dict[str, str] = field(default_factory=dict)
    collection: str = ""
    ballots: dict[str, str] = field(default_factory=dict)  # by reviewer

    def nobody(self) -> Person:
        return Person(self.console, self.app)

    def new_link(self, name: str | None, days: int | None = None) -> dict[str, Any]:
        wanted = {"area_chair": self.area_chairs[name] if name else None, "days": days}
        wanted |= {"existing": "keep"} if name else {"label": "Dana Chair"}
        return self.chair.made(f"/api/conferences/{self.conference}/links", wanted)

    def area_chair(self, name: str = CHAIRS[0]) -> Person:
        return self.nobody().enter(self.new_link(name)["url"])

    def stored_run(
        self, conference: str, name: str = "run", files: Sequence[str] = (), *, shared: bool = False
    ) -> str:
        """The shared run once more, without a job, as a run of other files in any conference."""
        results = select(RunFileRow.name, RunFileRow.content).where(RunFileRow.run == self.run)
        with self.console.database.writing() as session:
            run = session.get_one(RunRow, self.run)
            row = {column.name: getattr(run, column.name) for column in RunRow.__table__.c}
            row |= {"id": new_id(), "conference": conference, "name": name, "shared": shared}
            row |= {"finished": now(), "request": run.request | {"files": list(files)}}
            session.add(RunRow(**row))
            session.flush()
            for name, content in session.execute(results).all():
                session.add(RunFileRow(run=row["id"], name=name, content=content))
            return row["id"]

    def reviewer(self, name: str | None = None) -> Person:
        """A reviewer who has opened their ballot."""
        wanted = {"ballot": self.ballots[name or min(self.ballots)]}
        made = self.chair.made(f"/api/collections/{self.collection}/links", wanted)
        return self.nobody().enter(made["links"][0]["url"])


@pytest.fixture(scope="session")
def console(new_settings: Callable[..., ConsoleSettings]) -> Iterator[Console]:
    with open_console(new_settings()) as started:
        yield started


@pytest.fixture(scope="session")
def world(console: Console) -> World:
    """Made once for each database; tests change nothing that others look at."""
    app, sample = make_app(console), make_sample()
    chair = owner_of(console, app)
    made = World(console, app, sample, chair)
    made.conference = chair.new_conference("Conference of the tests")
    made.files = chair.upload(made.conference, sample.files)
    more = {"method": {"conflicts": "scores"}, "uncertainty": True, "calibrate": True}
    made.run = chair.run(made.conference, made.files, name="first run", **more)["id"]
    made.hidden = made.stored_run(made.conference, "other run", made.files)
    imported = chair.assign(made.conference, sample.assignments())
    assert (imported["area_chairs"], imported["papers"], imported["issues"]) == (3, 18, [])
    assert chair.patch(f"/api/runs/{made.run}", json={"shared": True}).json()["shared"]
    people = chair.access(made.conference)["area_chairs"]
    made.area_chairs = {one["name"]: one["id"] for one in people}
    wanted = {"title": "Rankings", "source": {"run": made.run}}
    collection = chair.made(f"/api/conferences/{made.conference}/collections", wanted)
    made.collection = collection["id"]
    made.ballots = {one["reviewer"]: one["id"] for one in collection["ballots"]}
    return made


@pytest.fixture
def chair(world: World) -> Person:
    return world.chair


@pytest.fixture
def conference(chair: Person) -> Iterator[str]:
    """A new conference, for one test."""
    made = chair.new_conference("Made for a test")
    yield made
    chair.delete(f"/api/conferences/{made}")
