"""Files -> run: the one way from exports to tables and record, for command line and console."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from unround.pipeline import dequantize_tables
from unround.progress import StageProgress, no_progress
from unround.result import Result
from unround.reviews.tables import Tables
from unround.runs.inputs import Inputs, tables_of
from unround.runs.record import run_record
from unround.runs.sureness import NOTHING, SCORES_ONLY, Asked, Sureness, sureness_of
from unround.runs.tables import run_tables
from unround.settings import EngineName, Settings
from unround.solver.engine import LOCAL, everywhere


@dataclass(frozen=True)
class Performed:
    """A finished run: its tables by file name, its record, and the result they show."""

    tables: Mapping[str, pl.DataFrame]
    record: dict[str, Any]
    result: Result


def perform(
    inputs: Inputs,
    settings: Settings,
    *,
    asked: Asked = SCORES_ONLY,
    engine: EngineName = LOCAL,
    client: Any = None,
    progress: StageProgress = no_progress,
) -> Performed:
    """Read the files, solve, and return the run. Issues of a refused input name files and lines."""
    on_workers = None if client is None else everywhere(client)
    tables = tables_of(inputs.read(progress, on_workers))
    return perform_tables(
        tables, settings, asked=asked, engine=engine, client=client, progress=progress
    )


def perform_tables(
    tables: Tables,
    settings: Settings,
    *,
    asked: Asked = SCORES_ONLY,
    engine: EngineName = LOCAL,
    client: Any = None,
    progress: StageProgress = no_progress,
) -> Performed:
    """Solve for tables that were read already, and return the run with what else was asked."""
    result = dequantize_tables(tables, settings, engine=engine, scheduler=client, progress=progress)
    return performed(result, sureness_of(result, asked, progress, engine))


def performed(result: Result, sureness: Sureness = NOTHING) -> Performed:
    """Return the tables and the record of a result, whether consensus holds, and how sure it is."""
    tables = {**run_tables(result), **sureness.tables}
    consensus = asdict(result.internals.consensus)
    record = {**run_record(result), "consensus": consensus, **sureness.notes}
    return Performed(tables, record, result)
