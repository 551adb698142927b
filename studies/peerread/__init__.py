"""PeerRead's folders as a table of scores, which `unround check`, `run` and `reproduce --data` take.

A conference has a folder for each of the splits train, test and dev, and there a JSON file for each paper
with its `reviews`. One counts if it has a RECOMMENDATION and does not repeat the text of another that counts:
meta-reviews may quote a review whole. Order is the paper's own program's: splits, then files by their names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from unround.formats.cells import counted, score_of
from unround.formats.model import ImportRefused
from unround.output.tables import write_csv

COLUMNS = ("split", "paper_id", "review_index", "score")
SPLITS = ("train", "test", "dev")
ICLR_2017 = Path("data", "iclr_2017")  # in a checkout of PeerRead


def convert(folder: Path, table: Path) -> str:
    """Write the scores of a conference, or of ICLR 2017 in a checkout, as a table; say how many."""
    inside = folder / ICLR_2017
    conference = inside if inside.is_dir() else folder
    files = [(split, path) for split in SPLITS for path in _papers(conference / split / "reviews")]
    if not files:
        raise ImportRefused(
            f"{folder} is no conference of PeerRead: it has no train/reviews/*.json"
        )
    left_out = {"without a recommendation": 0, "with the text of another": 0}
    rows = [
        (split, path.stem, index, score)
        for split, path in files
        for index, score in enumerate(_scores(path, left_out))
    ]
    write_csv(pl.DataFrame(rows, schema=COLUMNS, orient="row"), table)
    skipped = "".join(f", {counted(count, f'entry {what}')}" for what, count in left_out.items())
    return f"{counted(len(files), 'paper')}, {counted(len(rows), 'review')} written; left out:{skipped[1:]}"


def _papers(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"), key=lambda path: path.name)


def _scores(path: Path, left_out: dict[str, int]) -> Iterator[str]:
    """Yield the scores of the reviews that count."""
    try:
        document = json.loads(path.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise ImportRefused(f"{path} is not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise ImportRefused(f"{path} is not valid JSON: {error}") from error
    entries = document.get("reviews") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ImportRefused(f"{path} is not a PeerRead file: it has no list of 'reviews'")
    texts: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        score = _recommendation(f"{path}, review {number}", entry)
        text = entry.get("comments") if isinstance(entry, dict) else None
        if score is None:
            left_out["without a recommendation"] += 1
        elif isinstance(text, str) and text in texts:
            left_out["with the text of another"] += 1
        else:
            texts |= {text} if isinstance(text, str) else set()
            yield score


def _recommendation(where: str, entry: Any) -> str | None:
    value = entry.get("RECOMMENDATION") if isinstance(entry, dict) else None
    if isinstance(value, bool | list | dict):
        raise ImportRefused(f"{where}: RECOMMENDATION is {str(value)[:60]}, not a score")
    return None if value is None else score_of(str(value))
