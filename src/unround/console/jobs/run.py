"""A run, as a worker does it: read, solve, and keep rows and files in one transaction."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unround.console.jobs.order import (
    Order,
    Tell,
    files_of,
    finish,
    laid_out,
    method_of,
    options_of,
)
from unround.console.schemas import NewRun
from unround.console.serializers import issue_counts, issue_lines
from unround.console.storage import results as rows
from unround.console.storage.orm import File, Run, RunFile
from unround.errors import InputRefused, NotSolved, UnroundError
from unround.formats.files.write import shielded
from unround.glossary import PAGE, told
from unround.report.snapshot import Snapshot
from unround.runs.folder import RECORD
from unround.runs.inputs import Inputs
from unround.runs.method import parse_lambda
from unround.runs.perform import Performed
from unround.runs.perform import perform as perform_run
from unround.runs.record import issue_record, record_text


@dataclass(frozen=True)
class Refused:
    """Why the input could not be used."""

    reason: str
    records: Sequence[Mapping[str, Any]] = ()


def perform(order: Order, tell: Tell) -> None:
    """Run, and write down the results whole or not at all."""
    database = order.open()
    with database.reading() as session:
        request = NewRun.model_validate(session.get_one(Run, order.id).request)
        files = files_of(session, request.files)
    outcome = _computed(order, request, files, tell)
    tell("saving", 0, 1)
    if isinstance(outcome, Refused):
        with database.writing() as session:
            finish(session, order, "refused", reason=outcome.reason, issues=_issues(outcome))
        return
    snapshot = Snapshot.of_tables(outcome.tables, outcome.record)
    packed = _packed(outcome)
    with database.writing() as session:
        lam, kinds = str(outcome.record["lam"]), rows.kinds_of(snapshot)
        finish(session, order, "done", lam=lam, kinds=kinds)
        rows.save(session, order.id, snapshot)
        session.add_all(
            RunFile(run=order.id, name=name, content=content) for name, content in packed.items()
        )
    tell("saving", 1, 1)


def _computed(
    order: Order, request: NewRun, files: Sequence[File], tell: Tell
) -> Performed | Refused:
    with laid_out(order, files) as paths:
        try:
            return perform_run(
                Inputs(paths, options=options_of(request)),
                method_of(request),
                parse_lambda(request.lam),
                progress=tell,
            )
        except InputRefused as refused:
            records = [issue_record(issue) for issue in refused.issues]
            return Refused(_in_short(len(records)), records)
        except NotSolved:
            raise
        except UnroundError as problem:
            return Refused(told(str(problem), PAGE))


def _in_short(count: int) -> str:
    return f"{count} problem{'' if count == 1 else 's'} in the input"


def _issues(refused: Refused) -> dict[str, Any]:
    return {
        "counts": [count.model_dump() for count in issue_counts(refused.records)],
        "lines": [line.model_dump() for line in issue_lines(refused.records)],
    }


def _packed(outcome: Performed) -> dict[str, bytes]:
    """Every file as `unround run` writes it, gzipped."""
    texts = {name: shielded(table).write_csv() for name, table in outcome.tables.items()}
    texts[RECORD] = record_text(outcome.record)
    return {name: gzip.compress(text.encode(), 5, mtime=0) for name, text in texts.items()}
