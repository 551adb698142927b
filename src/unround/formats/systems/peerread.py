"""Read public scores without reviewers: PeerRead's folders, and tables of paper, review_index, score.

The data do not say which reviews one person wrote, so each review counts as a reviewer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.formats.cells import counted, left_out_note, score_of
from unround.formats.files.json_stream import json_document
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, first_columns, read_table
from unround.formats.model import (
    FileContent,
    Gives,
    ImportRefused,
    Options,
    Reader,
    Sheet,
    SheetBuilder,
    filled_columns,
    filter_rows,
    text_table,
)

SPLITS = ("train", "test", "dev")  # the order in which the paper's own program reads them
ANONYMOUS = "reviewers are not named: each review counts as a reviewer of its own"
# What tells one of these tables, and which columns say where a paper was submitted.
TABLES = {
    frozenset({"split", "paper_id", "review_index", "score"}): ("split",),
    frozenset({"venue", "year", "paper", "review_index", "score"}): ("venue", "year"),
}
LOOKED_AT = 5  # files
Cells = tuple[str | None, ...]
COLUMNS = ("reviewer", "paper", "score", "review", "title", "decision", "confidence")


def score_table(path: Path) -> FloatArray:
    """Read the scores of a PeerRead folder or a table: one row per paper, NaN beyond its reviews."""
    source = Source(Path(path))
    if not source.path.exists():
        raise ImportRefused(f"{path} does not exist")
    content = (read_folder if source.is_folder else read_scores)(source, Options())
    assert content.reviews is not None
    papers = content.reviews.table.group_by("paper", maintain_order=True).agg("score").rows()
    table = np.full((len(papers), max(len(scores) for _, scores in papers)), np.nan)
    for row, (paper, scores) in enumerate(papers):
        table[row, : len(scores)] = _numbers(source, paper, scores)
    return table


def _numbers(source: Source, paper: str, scores: Sequence[str]) -> list[float]:
    try:
        return [float(score) for score in scores]
    except ValueError:
        raise ImportRefused(
            f"{source.name}: paper {paper} has scores that are not numbers: {', '.join(scores)}; "
            "correct them"
        ) from None


def review_files(folder: Path) -> list[Path]:
    """Return the files of a PeerRead folder, or of any level below it, in the order of reading."""
    splits = [folder / split for split in SPLITS if (folder / split).is_dir()]
    if splits:
        return [path for split in splits for path in review_files(split)]
    inner = folder / "reviews" if (folder / "reviews").is_dir() else folder
    return sorted(
        (path for path in inner.iterdir() if path.suffix == ".json" and path.is_file()),
        key=lambda path: path.name,
    )


def read_folder(source: Source, options: Options) -> FileContent:
    """Read the reviews that have a recommendation and do not repeat the text of another one."""
    try:
        files = review_files(source.path)
        _refuse_several(source, files)
    except OSError as error:
        raise ImportRefused(f"{source.path} cannot be read: {error.strerror}") from error
    left_out = {"without a recommendation": 0, "with the text of another": 0}
    rows = SheetBuilder(*COLUMNS)
    for path in files:
        for number, cells in _counted_reviews(Source(path), left_out):
            rows.add(f"{path.name}, review {number}", *cells)
    if not rows.places:
        raise ImportRefused(f"{source.name}: no review in {len(files)} files has a RECOMMENDATION")
    skipped = [
        note for what, count in left_out.items() for note in left_out_note(count, f"entry {what}")
    ]
    return FileContent(
        recognised=f"{source.name}: PeerRead, {counted(len(files), 'paper')}, scores from "
        "RECOMMENDATION",
        reviews=Sheet(filled_columns(rows.sheet().table, ()), rows.places.__getitem__),
        notes=tuple(f"{source.name}: {note}" for note in (ANONYMOUS, *skipped)),
    )


def _refuse_several(source: Source, files: Sequence[Path]) -> None:
    """Refuse two files of one name: papers are known by their files."""
    if not files:
        inner = ", ".join(str(path.relative_to(source.path)) for path in _conferences(source.path))
        which = f"name one of its conferences: {inner}" if inner else "it holds no .json files"
        raise ImportRefused(f"{source.name} is not a conference of PeerRead; {which}")
    seen: dict[str, Path] = {}
    for path in files:
        other = seen.setdefault(path.name, path)
        if other is not path:
            one, two = other.relative_to(source.path), path.relative_to(source.path)
            raise ImportRefused(f"{source.name} has a paper twice: {one} and {two}")


def _counted_reviews(source: Source, left_out: dict[str, int]) -> Iterator[tuple[int, Cells]]:
    """Yield the reviews that count, each with its place among all entries of the file.

    A text is repeated only if a review that counts has it: meta-reviews may quote a review whole.
    """
    document = json_document(source)
    entries = document.get("reviews") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ImportRefused(f"{source.name} is not a PeerRead file: it has no list of 'reviews'")
    paper = source.path.stem
    texts: set[str] = set()
    index = 0
    for number, entry in enumerate(entries, start=1):
        score = _recommendation(source, number, entry)
        text = entry.get("comments") if isinstance(entry, dict) else None
        if score is None:
            left_out["without a recommendation"] += 1
        elif isinstance(text, str) and text in texts:
            left_out["with the text of another"] += 1
        else:
            if isinstance(text, str):
                texts.add(text)
            yield number, _row(paper, index, score, document, entry.get("REVIEWER_CONFIDENCE"))
            index += 1


def _recommendation(source: Source, number: int, entry: Any) -> str | None:
    value = entry.get("RECOMMENDATION") if isinstance(entry, dict) else None
    if isinstance(value, bool | list | dict):
        raise ImportRefused(
            f"{source.name}, review {number}: RECOMMENDATION is {str(value)[:60]}, not a score"
        )
    return score_of(value)


def _row(paper: str, index: int, score: str, document: dict[str, Any], confidence: object) -> Cells:
    """Return the cells of COLUMNS."""
    accepted, title = document.get("accepted"), document.get("title")
    decision = "accepted" if accepted is True else "rejected" if accepted is False else None
    return (
        f"{paper}/{index}",
        paper,
        score,
        str(index),
        title.strip() if isinstance(title, str) else None,
        decision,
        score_of(confidence) if isinstance(confidence, int | float | str) else None,
    )


def read_scores(source: Source, options: Options) -> FileContent:
    """Read a table of scores that names papers and counts their reviews, but no reviewers."""
    table = read_table(source)
    kind = next((names for names in TABLES if names <= set(table.header)), None)
    if kind is None:
        wanted = " or ".join(", ".join(sorted(names)) for names in TABLES)
        raise ImportRefused(
            f"{source.name} is no table of public scores; needed are the columns {wanted}; "
            f"found: {', '.join(table.header)}"
        )
    paper_column = "paper" if "paper" in kind else "paper_id"
    _refuse_mixed(source, table, paper_column, TABLES[kind])
    papers, indices = table.texts(paper_column), table.texts("review_index")
    columns: dict[str, Sequence[str | None]] = {
        "reviewer": [f"{paper}/{index}" for paper, index in zip(papers, indices, strict=True)],
        "paper": papers,
        "score": [score_of(value) for value in table.column("score").to_list()],
        "review": indices,
    }
    columns |= {name: table.texts(name) for name in ("title", "confidence") if name in table.header}
    every = Sheet(text_table(columns, always=columns), table.place)
    reviews = filter_rows(every, every.table["score"].is_not_null())
    if reviews.table.is_empty():
        raise ImportRefused(f"{source.name} holds no scores: every cell of 'score' is empty")
    unscored = left_out_note(every.table.height - reviews.table.height, "review without a score")
    return FileContent(
        recognised=f"{source.name}: public scores without reviewers, papers from '{paper_column}'",
        reviews=reviews,
        notes=tuple(f"{source.name}: {note}" for note in (ANONYMOUS, *unscored)),
    )


def _refuse_mixed(source: Source, table: Table, paper: str, groups: Sequence[str]) -> None:
    """Refuse several conferences in one table, and a paper in several splits."""
    if groups == ("venue", "year"):
        found = table.data.select(groups).unique(maintain_order=True).rows()
        if len(found) > 1:
            names = ", ".join(" ".join(map(str, row)) for row in found[:6])
            raise ImportRefused(
                f"{source.name} holds several conferences ({names}); keep the rows of one"
            )
        return
    twice = (
        table.data.select(paper, *groups)
        .unique(maintain_order=True)
        .filter(pl.col(paper).is_duplicated())
    )
    if twice.height:
        raise ImportRefused(
            f"{source.name} has paper {twice[paper][0]} in more than one split: "
            f"{', '.join(twice.filter(pl.col(paper) == twice[paper][0])[groups[0]])}"
        )


def _is_folder(source: Source) -> bool:
    try:
        if not source.is_folder:
            return False
        files = review_files(source.path)
        heads = [Source(path).head_text for path in files[:LOOKED_AT]]
        return bool(_conferences(source.path)) or any(
            '"reviews"' in head and '"comments"' in head for head in heads
        )
    except (OSError, ImportRefused):
        return False


def _conferences(folder: Path) -> list[Path]:
    """Return the conferences of a whole PeerRead checkout, or of its data folder."""
    root = folder / "data" if (folder / "data").is_dir() else folder
    return sorted(path for path in root.iterdir() if (path / "train" / "reviews").is_dir())


def _is_scores(source: Source) -> bool:
    columns = set(first_columns(source))
    return "reviewer" not in columns and any(names <= columns for names in TABLES)


READERS: tuple[Reader, ...] = (
    Reader(
        "peerread-folder",
        "a PeerRead folder (train, test and dev with reviews)",
        Gives.REVIEWS,
        _is_folder,
        read_folder,
    ),
    Reader(
        "peerread-scores",
        "a table of public scores (split, paper_id, review_index, score)",
        Gives.REVIEWS,
        _is_scores,
        read_scores,
    ),
)
