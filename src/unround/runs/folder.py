"""A run as a folder: write its tables, run.json and page whole or not at all, and read them back."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from unround.errors import UsageError
from unround.formats.files.source import sha256_of
from unround.formats.ids import id_kinds, with_id_kinds
from unround.formats.model import PAPER_COLUMNS, ImportRefused
from unround.output.atomic import whole_folder
from unround.output.tables import read_own_csv, write_csv
from unround.reviews.tables import Tables
from unround.runs.record import record_text
from unround.runs.tables import (
    BINDINGS,
    EXPLANATION,
    PAIRS,
    PAPERS,
    RANKINGS,
    SAME,
    SCORES,
    STATEMENTS,
)
from unround.runs.uncertainty import ESTIMATE_FILES

RECORD, REPORT = "run.json", "report.html"
# The hash of every file of the folder, as `sha256sum -c` reads them.
CHECKSUMS = "SHA256SUMS"
KEY, KEY_BYTES = "pseudonyms.key", 32
TABLES = (SCORES, PAPERS, EXPLANATION, *STATEMENTS, BINDINGS, *ESTIMATE_FILES)
TEXT = (
    *("reviewer", "paper", "better", "worse", "same_as"),
    *("review", "reviewer_name", "reviewer_email", *PAPER_COLUMNS),
    *("within", "depends_on"),
)


@dataclass(frozen=True)
class Run:
    """A finished run: its tables by file name, and its record."""

    tables: Mapping[str, pl.DataFrame]
    record: Mapping[str, Any]
    folder: Path | None = None  # that it was read from

    @property
    def scores(self) -> pl.DataFrame:
        """One row per review."""
        return self.tables[SCORES]

    @property
    def papers(self) -> pl.DataFrame:
        """One row per paper."""
        return self.tables[PAPERS]

    def input_tables(self) -> Tables:
        """Return the reviews and statements that the run was computed from."""
        stated = [self.tables[name] for name in (RANKINGS, PAIRS) if name in self.tables]
        # Only their order counts: systems whose ranks begin at 0 were understood when they were read.
        stated = [
            table.with_columns(pl.col("rank").rank("dense")) if "rank" in table.columns else table
            for table in stated
        ]
        reviews = self.scores.drop("dequantized", "percentile")
        return Tables.of(reviews, stated or None, self.tables.get(SAME))


# Writes the page of a run; returns why it is left out, or an empty string.
PageWriter = Callable[[Run, Path], str]


def save_run(run: Run, folder: Path, *, page: PageWriter, force: bool) -> str:
    """Write the folder whole or not at all; return why its page is left out, or an empty string."""
    with whole_folder(folder, force=force) as draft:
        return write_run(draft, run.tables, run.record, page=partial(page, run))


def write_run(
    folder: Path,
    tables: Mapping[str, pl.DataFrame],
    record: Mapping[str, Any],
    *,
    page: Callable[[Path], str] | None = None,
) -> str:
    """Write the tables of a run under their names, run.json, the page, and the hashes of all."""
    for name, table in tables.items():
        write_csv(table, folder / name)
    (folder / RECORD).write_text(record_text(record), "utf-8")
    left_out = "" if page is None else page(folder / REPORT)
    lines = [f"{sha256_of(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / CHECKSUMS).write_text("".join(lines), "utf-8")
    return left_out


def pseudonym_key(folder: Path) -> bytes:
    """Return the secret that numbers reviewers on the pages of a run; made at random when first used."""
    path = folder / KEY
    try:
        with contextlib.suppress(FileExistsError):
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(KEY_BYTES))
        key = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"the key of pseudonyms cannot be kept in {path}: {error.strerror}; make {folder} writable"
        ) from error
    if len(key) != KEY_BYTES:
        raise UsageError(f"{path} is damaged: delete it, and reviewers get new pseudonyms")
    return key


def read_run(folder: Path) -> Run:
    """Read a folder that `unround run` wrote; refuse one whose files were changed since."""
    if folder.is_file():
        raise ImportRefused(
            f"{folder} is a file: unpack it if it is a ZIP file, and give the run's folder"
        )
    for name in (RECORD, SCORES, PAPERS, EXPLANATION, CHECKSUMS):
        if not (folder / name).is_file():
            raise ImportRefused(f"{folder} is not the result of `unround run`: {name} is missing")
    try:
        contents = read_checked(folder, (RECORD, *TABLES))
    except ImportRefused:
        raise
    except (OSError, ValueError) as error:
        raise ImportRefused(f"{folder} cannot be read: {error}") from error
    return run_of_files(folder, contents)


def run_of_files(folder: Path, files: Mapping[str, bytes]) -> Run:
    """Return a run from the contents of its files; `folder` names it in messages."""
    contents = dict(files)
    try:
        record = json.loads(contents.pop(RECORD))
        tables = {name: read_own_csv(content, TEXT) for name, content in contents.items()}
    except (ValueError, RecursionError, pl.exceptions.PolarsError) as error:
        raise ImportRefused(f"{folder} cannot be read: {error}") from error
    return Run(_with_typed_ids(tables), record, folder)


def _with_typed_ids(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Give ids the type that they had in the run; as on import, reviews and statements decide."""
    stated = [
        tables[name].select(columns) for name, columns in STATEMENTS.items() if name in tables
    ]
    kinds = id_kinds([tables[SCORES], *stated])
    return {name: with_id_kinds(table, kinds) for name, table in tables.items()}


def read_checked(folder: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Return the contents of those files that exist; refuse a file that differs from its recorded hash."""
    contents = {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}
    lines = (folder / CHECKSUMS).read_text("utf-8").splitlines()
    recorded = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    for name in names:
        found = hashlib.sha256(contents[name]).hexdigest() if name in contents else None
        if found != recorded.get(name):
            raise ImportRefused(
                f"{folder / name} is not what `unround run` wrote: it was changed, cut off, added or "
                "removed; do `unround run` again"
            )
    return contents
