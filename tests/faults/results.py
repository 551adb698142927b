"""What a person sees as the result of a command: all of it, or nothing."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from tests.faults.cases import PERSON, Case
from unround.console.settings import ConsoleSettings
from unround.errors import UsageError

WHOLE, BROKEN = "whole", "broken"


def visible(case: Case, folder: Path) -> str:
    """Return a hash of what a person sees as the result, or nothing where there is none."""
    target = folder / case.output
    if not case.output or not target.exists():
        return ""
    if case.name == "backup":  # times and random ids differ: whole means that it can be checked
        return WHOLE if _is_whole_backup(target) else BROKEN
    if case.name == "restore":
        return _restored(target)
    if case.name == "forget":
        return _forgotten(target)
    if case.name == "ballots make":  # links are random: whole means that they are known
        return WHOLE if _has_collection(folder / "data", "Another") else BROKEN
    if case.name == "reproduce":  # keeps finished trials on purpose; its report comes last
        target = target / "report.html"
        return digest(target) if target.exists() else ""
    return digest(target)


def _is_whole_backup(file: Path) -> bool:
    from unround.console.storage.backup import read_manifest

    try:
        read_manifest(file)
    except UsageError:
        return False
    return True


def _restored(data: Path) -> str:
    """Return what a server would make of a folder: all of it, or a sentence and nothing."""
    from unround.console.storage.open_data import open_alone
    from unround.console.storage.orm import LinkRow

    if (data / "restoring").exists() or not (data / "unround.db").exists():
        return ""
    if not _has_row(data, "SELECT 1 FROM sqlite_master"):
        return ""
    try:
        with open_alone(ConsoleSettings(data=data)) as database, database.reading() as session:
            return WHOLE if session.query(LinkRow).count() else ""
    except UsageError:
        return BROKEN


def _forgotten(data: Path) -> str:
    """Return a hash of all tables, or that none names the person."""
    with closing(sqlite3.connect(data / "unround.db")) as database:
        if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            return BROKEN
        rows = "\n".join(database.iterdump())
    if PERSON in rows:
        return hashlib.sha256(rows.encode()).hexdigest()
    return WHOLE


def _has_collection(data: Path, title: str) -> bool:
    return _has_row(data, "SELECT 1 FROM collections WHERE title = ?", title)


def _has_row(data: Path, query: str, *values: str) -> bool:
    with closing(sqlite3.connect(data / "unround.db")) as database:
        return database.execute(query, values).fetchone() is not None


def strays(data: Path) -> list[str]:
    """Return the files in a data folder, opened as at a start, that belong to nothing in the database."""
    from unround.console.storage.open_data import open_alone
    from unround.console.storage.orm import FileRow

    settings = ConsoleSettings(data=data)
    with open_alone(settings) as database, database.reading() as session:
        files = {one.id for one in session.query(FileRow)}
    return stray_files(data, files)


def stray_files(data: Path, files: Collection[str]) -> list[str]:
    """Return the files in a data folder other than the database and these uploads."""

    def belongs(path: Path) -> bool:
        folder, name = path.relative_to(data).parent.as_posix(), path.name
        if folder == "uploads":
            return name in files
        return folder == "." and (name in ("lock", "identity") or name.startswith("unround.db"))

    # Folders of workers may go meanwhile, which `os.walk` allows for.
    there = [Path(folder, name) for folder, _, names in os.walk(data) for name in names]
    found = [path for path in sorted(there) if not belongs(path)]
    folders = [path for path in sorted((data / "work").glob("*")) if path.is_dir()]
    return [path.relative_to(data).as_posix() for path in (*found, *folders)]


def digest(target: Path) -> str:
    """Return one hash of a file, or of all files of a folder that are not hidden."""
    if target.is_file():
        return hashlib.sha256(target.read_bytes()).hexdigest()
    whole = hashlib.sha256()
    for path in sorted(target.rglob("*")):
        relative = path.relative_to(target)
        if path.is_file() and not any(part.startswith(".") for part in relative.parts):
            if relative.parts[0] == "data":  # the console's own, which a backup opens
                continue
            whole.update(f"{relative}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
