"""A run as a folder: write its tables and run.json, read and check them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

import polars as pl

from unround.errors import UsageError
from unround.formats.files.source import sha256_of
from unround.formats.ids import id_kinds, with_id_kinds
from unround.formats.model import PAPER_COLUMNS, ImportRefused
from unround.output.tables import read_own_csv, write_csv
from unround.reviews.tables import Tables
from unround.runs.record import (
    record_text,
    recorded_certificate,
    recorded_issues,
    recorded_settings,
)
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
from unround.scale import Scale

RECORD, REPORT = "run.json", "report.html"
# The hash of every file of the folder, as `sha256sum -c` reads them.
CHECKSUMS = "SHA256SUMS"
MOST_LEVELS = 1_000
# What every version has recorded, by its kind.
KINDS: Mapping[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("settings", "certificate", "ties", "counts", "versions"), dict),
    **dict.fromkeys(("issues", "inputs", "recognised", "notes"), list),
    "selection": (dict, type(None)),
    "lam": (int, float, str),
}
KEY, KEY_BYTES = "pseudonyms.key", 32
OPTIONAL = (EXPLANATION, *STATEMENTS, BINDINGS, *ESTIMATE_FILES)
TEXT = (
    *("reviewer", "paper", "better", "worse", "same_as"),
    *("review", "reviewer_name", "reviewer_email", *PAPER_COLUMNS),
    *("within", "depends_on"),
)


@dataclass(frozen=True)
class SavedRun:
    """A finished run, read from its folder."""

    folder: Path
    scores: pl.DataFrame
    papers: pl.DataFrame
    record: Mapping[str, Any]
    others: Mapping[str, pl.DataFrame]  # by file name: explanation.csv and the rest, if there

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """Every table by the name of its file."""
        return {SCORES: self.scores, PAPERS: self.papers, **self.others}

    def input_tables(self) -> Tables:
        """Return the reviews and statements that the run was computed from."""
        stated = [self.others[name] for name in (RANKINGS, PAIRS) if name in self.others]
        # Only their order counts: systems whose ranks begin at 0 were understood when they were read.
        stated = [
            table.with_columns(pl.col("rank").rank("dense")) if "rank" in table.columns else table
            for table in stated
        ]
        reviews = self.scores.drop("dequantized", "percentile")
        return Tables.of(reviews, stated or None, self.others.get(SAME))


def write_run(folder: Path, tables: Mapping[str, pl.DataFrame], record: Mapping[str, Any]) -> None:
    """Write the tables of a run under their names, and run.json."""
    for name, table in tables.items():
        write_csv(table, folder / name)
    (folder / RECORD).write_text(record_text(record), "utf-8")


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


def read_run(folder: Path) -> SavedRun:
    """Read a folder that `unround run` wrote; refuse one whose files were changed since."""
    if folder.is_file():
        raise ImportRefused(
            f"{folder} is a file: unpack it if it is a ZIP file, and give the run's folder"
        )
    for name in (RECORD, SCORES, PAPERS):
        if not (folder / name).is_file():
            raise ImportRefused(f"{folder} is not the result of `unround run`: {name} is missing")
    try:
        contents = read_checked(folder, (RECORD, SCORES, PAPERS, *OPTIONAL))
    except (OSError, ValueError) as error:
        raise ImportRefused(f"{folder} cannot be read: {error}") from error
    return run_of_files(folder, contents)


def run_of_files(folder: Path, files: Mapping[str, bytes]) -> SavedRun:
    """Return a run from the contents of its files; `folder` names it in messages."""
    contents = dict(files)
    try:
        record = json.loads(contents.pop(RECORD))
        tables = {name: read_own_csv(content, TEXT) for name, content in contents.items()}
    except (ValueError, RecursionError, pl.exceptions.PolarsError) as error:
        raise ImportRefused(f"{folder} cannot be read: {error}") from error
    _check_record(folder, record)
    _check_counts(folder, record, tables)
    try:
        return _typed_run(folder, tables, record)
    except pl.exceptions.PolarsError as error:
        raise mixed_up(folder, error) from error


def mixed_up(folder: Path, error: Exception) -> ImportRefused:
    """Return the refusal of tables that no run wrote together, with the first line of the reason."""
    reason = str(error).partition("\n")[0]
    return ImportRefused(
        f"{folder} holds files that do not belong together ({reason}); do `unround run` again"
    )


def _check_record(folder: Path, record: Any) -> None:
    """Refuse a record without what every run has, or with values that no run has."""
    from unround.uncertainty.advice import Diagnostics  # loads Numba

    try:
        for name, kind in KINDS.items():
            if not isinstance(record[name], kind):
                raise TypeError(f"{name} is a {type(record[name]).__name__}")
        levels = record["settings"]["scale"]
        if not isinstance(levels, list) or len(levels) > MOST_LEVELS:
            raise ValueError(f"a scale is a list of at most {MOST_LEVELS:,} levels")
        Scale(levels)
        if not float(record["lam"]) > 0:
            raise ValueError(f"λ {record['lam']}")
        for name, keys in {"ties": ("before", "after"), "selection": ("lam", "error")}.items():
            if record[name] is not None:
                itemgetter(*keys)(record[name])
        for read in (recorded_settings, recorded_issues, recorded_certificate):
            read(record)
        Diagnostics.of_record(record)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else error
        raise ImportRefused(
            f"{folder / RECORD} is not what `unround run` wrote ({why}); do `unround run` again"
        ) from error


def _check_counts(
    folder: Path, record: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]
) -> None:
    """Refuse tables with more or fewer rows than the record counts."""
    for name, what in ((SCORES, "reviews"), (PAPERS, "papers")):
        rows = tables[name].height
        recorded = record["counts"].get(what)
        if rows != recorded:
            raise ImportRefused(
                f"{folder / name} has {rows:,} {what}, but {RECORD} counts {recorded}; "
                "do `unround run` again"
            )


def _typed_run(
    folder: Path, tables: Mapping[str, pl.DataFrame], record: Mapping[str, Any]
) -> SavedRun:
    """Give ids the type that they had in the run; as on import, reviews and statements decide."""
    stated = [
        tables[name].select(columns) for name, columns in STATEMENTS.items() if name in tables
    ]
    kinds = id_kinds([tables[SCORES], *stated])
    typed = {name: with_id_kinds(table, kinds) for name, table in tables.items()}
    return SavedRun(folder, typed.pop(SCORES), typed.pop(PAPERS), record, typed)


def write_sums(folder: Path) -> None:
    """Write the hash of every file of a folder."""
    lines = [f"{sha256_of(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / CHECKSUMS).write_text("".join(lines), "utf-8")


def read_checked(folder: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Return the contents of those files that exist; refuse a file that differs from its recorded hash.

    Runs of earlier versions have no hashes.
    """
    contents = {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}
    for name, digest in _sums(folder).items():
        if name in names and (
            name not in contents or hashlib.sha256(contents[name]).hexdigest() != digest
        ):
            raise ImportRefused(
                f"{folder / name} is not what `unround run` wrote: it was changed, cut off or removed; "
                "do `unround run` again"
            )
    return contents


def _sums(folder: Path) -> dict[str, str]:
    """Return the hash of each file by its name."""
    if not (folder / CHECKSUMS).is_file():
        return {}
    lines = (folder / CHECKSUMS).read_text("utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
