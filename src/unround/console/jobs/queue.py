"""Checks and runs that are asked for: looked at, written down as queued, handed over."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from unround.console.access.permissions import found
from unround.console.errors import Refusal
from unround.console.jobs.order import files_of, method_of
from unround.console.schemas import FileInfo, NewCheck, NewRun
from unround.console.serializers import file_info
from unround.console.storage.orm import TABLES, UNFINISHED, Conference, Kind
from unround.runs.method import parse_lambda
from unround.scale import Scale
from unround.settings import checked_lambda

MOST_WAITING = 50


def checked_request(
    session: Session, conference: str, kind: Kind, wanted: NewCheck
) -> list[FileInfo]:
    """The files of a job that can be tried. Raises what is wrong with it."""
    found(session, Conference, conference)
    files = files_of(session, wanted.files)
    if len(files) != len(wanted.files) or any(file.conference != conference for file in files):
        raise Refusal(422, "One of the files is not there any more. Choose the files again.")
    _check_room(session, conference, kind)
    scale = method_of(wanted).scale
    if scale is not None:
        Scale.of(scale)
    if isinstance(wanted, NewRun):
        strength = parse_lambda(wanted.lam)
        if not isinstance(strength, str):
            checked_lambda(strength)
    return [file_info(file) for file in files]


def _check_room(session: Session, conference: str, kind: Kind) -> None:
    table = TABLES[kind]
    waiting = session.scalar(
        select(func.count())
        .select_from(table)
        .where(table.conference == conference, table.status.in_(UNFINISHED))
    )
    if (waiting or 0) >= MOST_WAITING:
        raise Refusal(409, f"{waiting} {kind}s are waiting already. Cancel some, or wait.")
