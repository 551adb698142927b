"""Forgetting: afterwards no byte of the data names the person or the conference."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, quote_plus

import polars as pl
import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from tests.console.conftest import World, call_on_data, owner_of
from tests.console.sample import CHAIRS, email_of
from unround.console.access.log import note
from unround.console.forget import Erasure, forget_conference, forget_person
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage import database
from unround.console.storage.database import compact
from unround.console.storage.orm import (
    Base,
    ConferenceRow,
    LinkRow,
    NoteRow,
    PaperChangeRow,
    RunFileRow,
    TagRow,
    new_id,
    now,
)
from unround.console.storage.run_files import open_run_files
from unround.errors import UsageError

ADA, BEN = CHAIRS[0], CHAIRS[1]


class _Undone(Exception):
    pass


@contextmanager
def tried(world: World) -> Iterator[Session]:
    """A transaction that is taken back: the conference of the tests stays as it is."""
    with suppress(_Undone), world.console.database.writing() as session:
        yield session
        raise _Undone


def _everything(session: Session) -> str:
    """All that the database holds, files unpacked."""
    values = []
    for table in Base.metadata.sorted_tables:
        for row in session.execute(select(table)):
            values += [
                gzip.decompress(one).decode() if isinstance(one, bytes) else str(one) for one in row
            ]
    return "\n".join(values).lower()


def test_a_reviewer_is_in_nothing_that_is_kept(world: World):
    reviewer, name = world.sample.reviews.select("reviewer", "reviewer_name").row(0)
    others = set(world.sample.reviews["reviewer"]) - {reviewer}
    with tried(world) as session:
        before = _everything(session)
        assert reviewer in before
        forgotten = forget_person(session, [reviewer, name.upper()], world.console.settings)
        after = _everything(session)
        assert reviewer not in after
        assert name.lower() not in after
        assert all(other in after for other in others)
        assert set(forgotten.files) >= set(world.files)
        assert forgotten.counts["run_files"] > 0
        assert after.count("forgot a person") == before.count("forgot a person") + 1


def test_the_results_stay_whole(world: World):
    """The same reviews under another name: rankings and reviews still belong together."""
    reviewer = world.sample.reviews["reviewer"][0]
    with tried(world) as session:
        before = open_run_files(session, world.run).snapshot
        forget_person(session, [reviewer], world.console.settings)
        after = open_run_files(session, world.run).snapshot
        (stand_in,) = {
            one for one in after.reviews["reviewer"].unique() if one.startswith("forgotten-")
        }
        for name in ("reviews", "ranks"):
            old, new = getattr(before, name), getattr(after, name)
            assert new.height == old.height
            assert _of_reviewer(new, stand_in) == _of_reviewer(old, reviewer)


def _of_reviewer(table: pl.DataFrame, reviewer: str) -> list[tuple[object, ...]]:
    theirs = table.filter(pl.col("reviewer") == reviewer)
    return sorted(theirs.drop("reviewer", "reviewer_name", strict=False).rows())


def test_other_names_of_a_reviewer_are_named(world: World):
    """By name or by id: the results of a run hold both."""
    reviewer, name = world.sample.reviews.select("reviewer", "reviewer_name").row(0)
    for given, other in ((reviewer, name), (name.upper(), reviewer)):
        with tried(world) as session:
            forgotten = forget_person(session, [given], world.console.settings)
            assert other in forgotten.also_known_as


def test_an_area_chair_loses_links_and_name(world: World):
    world.new_link(ADA)
    with tried(world) as session:
        forgotten = forget_person(session, [ADA], world.console.settings)
        assert forgotten.also_known_as == [email_of(ADA)]
        assert forgotten.counts["links"] > 0
        after = _everything(session)
        assert ADA.lower() not in after
        assert BEN.lower() in after
        theirs = select(func.count()).where(LinkRow.area_chair == world.area_chairs[ADA])
        assert session.scalar(theirs) == 0


def test_names_inside_other_names_stay(world: World):
    """Ada Quarrywood is not Ada Quarrywoods, and thistle is not Ben Thistlemere."""
    with tried(world) as session:
        before = _everything(session)
        forgotten = forget_person(session, ["Ada Quarrywoo", "Thistle"], world.console.settings)
        assert (forgotten.counts, forgotten.files) == ({}, [])
        assert _everything(session) == before


@pytest.mark.parametrize("name", ["7", "1234567", "Al", "    "])
def test_names_that_could_be_anything_are_refused(world: World, name: str):
    with tried(world) as session, pytest.raises(UsageError, match="could be part of other text"):
        forget_person(session, [name], world.console.settings)


def test_a_conference_goes_with_everything(world: World):
    """With the others, since tests before this one leave the same names in conferences of their own."""
    with tried(world) as session:
        assert set(forget_conference(session, world.conference).files) >= set(world.files)
        for other in session.scalars(select(ConferenceRow.id)).all():
            forget_conference(session, other)
        after = _everything(session)
        assert not {word for word in world.sample.all_words() if word.lower() in after}
        assert session.scalar(select(func.count()).select_from(RunFileRow)) == 0
    with tried(world) as session, pytest.raises(UsageError, match="no conference Nowhere"):
        forget_conference(session, "Nowhere")


NAME, MAIL = "RevFg Name7", "r7@fg.example"
SIGNS = r"""+-._@/\'"(){}[]|~#*,;:!?<>=%&$§«»„“”–…。、"""
FORMS = [
    *(f"{sign}{NAME}{sign}" for sign in SIGNS),
    *(f"{sign}{MAIL}{sign}" for sign in SIGNS),
    *(f"{before} {NAME} {before}{NAME}" for before in ("...", "__", "''", "/:")),
    "r7@fg.example-old and r7@fg.example.Then",
    "search=r7%40fg.example&q=RevFg+Name7&z=RevFg%20Name7&a=%20RevFg%20Name7%0A",
    "RevFg\u00a0Name7, RevFg  Name7, RevFg\nName7, RevFg \u3000Name7, RevFg\u2009Name7",
    "+RevFg-Name7 +r7@fg.example: 3",
    "revfg.name7 REVFG_NAME7",
]
LEFT = [
    "XRevFg Name7",
    "RevFg Name77",
    "RevFg Name7a",
    "éRevFg Name7",
    "r7@fg.examples",
    "7r7@fg.example",
]


@pytest.mark.parametrize("text", FORMS)
def test_a_name_is_found_beside_every_sign(text: str):
    person = Erasure([NAME, MAIL], "gone")
    encoded = [] if "%" in text else [quote(text), quote_plus(text)]
    for written in (text, json.dumps(text), json.dumps(text, ensure_ascii=False), *encoded):
        after = person.text(written).lower()
        assert not re.search("revfg|name7|r7(@|%40)fg", after), after


@pytest.mark.parametrize("text", LEFT)
def test_a_name_is_not_found_in_longer_words(text: str):
    assert Erasure([NAME, MAIL], "gone").text(text) == text


def test_longer_words_that_hold_a_name_are_shown():
    """Somebody else's address may end like this one: that is for the operator to see first."""
    person = Erasure([MAIL, NAME], "gone")
    assert person.text("mary.r7@fg.example, +r7@fg.example.") == "mary.gone, +gone."
    assert person.within == {"mary.r7@fg.example,"[:-1]}


def test_names_in_other_codes_of_accents_and_capitals_are_one_person(world: World):
    with tried(world) as session:
        session.add_all(
            LinkRow(
                id=new_id(),
                conference=None,
                secret=new_id(),
                label=label,
                created=now(),
                printed=False,
            )
            for label in ("ÉMILE\u00a0Ørsted", "E\u0301mile Ørsted")
        )
        session.flush()
        forgotten = forget_person(session, ["Émile Ørsted"], world.console.settings)
        assert forgotten.counts["links"] == 2


# --- the command --------------------------------------------------------------------------------


def _forget(settings: ConsoleSettings, *arguments: str, answer: str | None = None):
    return call_on_data(settings, "forget", *arguments, answer=answer)


def _on_disk(settings: ConsoleSettings) -> bytes:
    return b"".join(path.read_bytes() for path in settings.data.rglob("*") if path.is_file())


def _rows(settings: ConsoleSettings) -> str:
    with open_console(settings) as console, console.database.reading() as session:
        return _everything(session)


@pytest.mark.slow
def test_forgetting_asks_and_leaves_no_byte(new_settings):
    """A conference, and then a person in the other one, of a console that has stopped."""
    settings = new_settings()
    with open_console(settings) as console:
        chair = owner_of(console)
        for name in ("Conference of Quails", "Conference of Larks"):
            conference = chair.new_conference(name)
            chair.assign(conference, b"area_chair,paper,email\nDora Quill,1,dora@example.org\n")
            chair.upload(conference, {"notes.csv": b"by,Dora Quill\n"})
        assert "used by another" in _forget(settings, "person", "Dora Quill").output
    asked = _forget(settings, "person", "Dora Quill", answer="n\n")
    assert asked.exit_code == 0, asked.output
    assert "2 in area chairs" in asked.output
    assert "also known as dora@example.org" in " ".join(asked.output.split())
    assert "Nothing was changed." in asked.output
    assert "dora quill" in _rows(settings)

    done = _forget(settings, "conference", "Conference of Quails", "--yes")
    assert done.exit_code == 0, done.output
    assert b"Conference of Quails" not in _on_disk(settings)
    assert len(list(settings.uploads.iterdir())) == 1
    rows = _rows(settings)
    assert "quails" not in rows
    assert "conference of larks" in rows
    again = _forget(settings, "conference", "Conference of Quails", "--yes")
    assert (again.exit_code, "there is no conference" in again.output) == (2, True)

    done = _forget(settings, "person", "dora quill", "dora@example.org", "--yes")
    assert done.exit_code == 0, done.output
    assert "backups" in done.output
    assert b"Dora Quill" not in _on_disk(settings)
    assert list(settings.uploads.iterdir()) == []
    rows = _rows(settings)
    assert "dora" not in rows
    assert "conference of larks" in rows


def _fill(settings: ConsoleSettings) -> str:
    """Notes, tags, log lines, views and ballots that hold the name in every form; their conference."""
    with open_console(settings) as console:
        chair = owner_of(console)
        conference = chair.new_conference("Conference of Forms")
        table = f"reviewer,reviewer_name,paper\n{MAIL},{NAME},1\n{MAIL},{NAME},2\n"
        file = chair.upload_one(conference, "a.csv", table.encode()).json()["id"]
        wanted = {"title": f"Of {NAME}", "source": {"files": [file]}}
        chair.made(f"/api/conferences/{conference}/collections", wanted)
        chair.made(f"/api/conferences/{conference}/views", {"name": "x", "query": FORMS[-4]})
        with console.database.writing() as session:
            signed = {"conference": conference, "who": "somebody", "at": now()}
            for number, text in enumerate(FORMS):
                paper = str(number % 3)  # few papers: the planner keeps common values
                session.add(NoteRow(**signed, paper=str(number), value=text))
                session.add(
                    PaperChangeRow(
                        **signed, batch=new_id(), paper=paper, field="note", before=text, after=text
                    )
                )
                note(session, conference, text, "tagged", text)
            for tag in ("r7@fg.example", "R7@fg.example"):
                session.add(TagRow(**signed, paper="1", value=tag))
        if not console.database.is_sqlite:
            compact(console.database)  # fills the planner's statistics
    return conference


def _statistics(settings: ConsoleSettings) -> str:
    """What PostgreSQL's planner knows of the values."""
    with open_console(settings) as console, console.database.reading() as session:
        if console.database.is_sqlite:
            return ""
        return str(
            session.execute(text("SELECT * FROM pg_stats WHERE schemaname = 'public'")).all()
        )


@pytest.mark.slow
def test_no_form_of_a_name_is_left_in_tables_files_and_statistics(new_settings):
    settings = new_settings()
    _fill(settings)
    aside = settings.data / "set-aside"
    aside.mkdir(exist_ok=True)
    (aside / "found.csv").write_text(f"x,{NAME}\n")
    assert settings.database is None or "revfg" in _statistics(settings).lower()
    done = _forget(settings, "person", NAME, MAIL, answer="y\n")
    assert done.exit_code == 0, done.output
    shown = " ".join(done.output.split())
    assert "Delete this permanently, with 1 upload of Conference of Forms?" in shown
    assert shown.endswith(f"These still hold the words. Delete them by hand: {aside / 'found.csv'}")
    for kept in (_rows(settings), _statistics(settings)):
        assert not re.search("revfg|name7|r7(@|%40)fg", kept, re.IGNORECASE)
    (aside / "found.csv").unlink()
    assert not re.search(b"(?i)revfg|name7|r7(@|%40)fg", _on_disk(settings))
    assert not settings.uncompacted.exists()


@pytest.mark.slow
def test_a_full_disk_leaves_the_compaction_to_the_next_call(new_settings, monkeypatch):
    settings = new_settings()
    _fill(settings)

    def full(_database: object) -> None:
        raise OperationalError("VACUUM", None, Exception("database or disk is full"))

    with monkeypatch.context() as patched:
        patched.setattr(database, "compact", full)
        done = _forget(settings, "person", NAME, MAIL, "--yes")
        assert done.exit_code == 4, done.output
        assert "Deleted from all tables, but the files of the database may still" in done.output
        again = _forget(settings, "person", NAME, MAIL, "--yes")
        assert again.exit_code == 4, again.output
    assert settings.uncompacted.exists()
    assert "Nothing was changed." in _forget(settings, "person", NAME, MAIL, "--yes").output
    assert not settings.uncompacted.exists()


@pytest.mark.parametrize("words", [("forget", "person", "Dora Quill"), ("backup", "of.backup")])
def test_a_folder_without_data_is_not_made(tmp_path: Path, words: tuple[str, ...]):
    ended = call_on_data(ConsoleSettings(data=tmp_path / "none"), *words)
    assert ended.exit_code == 2
    assert "is not a console's data folder" in ended.output
    assert not (tmp_path / "none").exists()
