"""Tables for download: what a viewer sees, as CSV or as a workbook."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from sqlalchemy import select

from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.schemas import Export
from unround.console.storage.orm import RunFile
from unround.formats.files.write import shielded, write_xlsx
from unround.report.model import View
from unround.runs.folder import Run, read_run

MOST_ROWS = 1_000_000  # a worksheet has a few more
CHAIRS_ONLY = ("area_chair",)


@contextmanager
def unpacked(here: Console, run: str) -> Iterator[Path]:
    """A run's files in a folder, as `unround run` leaves them."""
    with here.database.reading() as session:
        files = session.execute(select(RunFile.name, RunFile.content).where(RunFile.run == run))
        contents = {name: gzip.decompress(packed) for name, packed in files}
    with TemporaryDirectory(dir=here.settings.work) as folder:
        for name, content in contents.items():
            (Path(folder) / name).write_bytes(content)
        yield Path(folder)


def finished_run(here: Console, run: str) -> Run:
    """A run's tables, as `unround export` reads them; read once for all who ask in turn."""

    def read() -> Run:
        with unpacked(here, run) as folder:
            return read_run(folder)

    return here.finished.get(run, read)


def chair_table(run: Run, wanted: Export) -> pl.DataFrame:
    """The table that a chair asked for."""
    if wanted.table == "reviews":
        return _chosen(run.scores, wanted)
    return _chosen(_with_more(run.papers, run.scores, wanted), wanted)


def area_chair_table(run: Run, shown: View, wanted: Export) -> pl.DataFrame:
    """The table that an area chair asked for, made of what their view holds and nothing else."""
    reviews = _reviews_in(shown, run.papers.schema["paper"])
    if wanted.table == "reviews":
        return _chosen(reviews, wanted)
    inside = reviews.select("paper").unique()
    papers = run.papers.drop(*CHAIRS_ONLY, strict=False)
    papers = papers.join(inside, on="paper", how="semi", maintain_order="left")
    return _chosen(_with_more(papers, reviews, wanted), wanted)


def as_csv(table: pl.DataFrame) -> bytes:
    """The bytes of a CSV file."""
    return shielded(table).write_csv().encode()


def as_xlsx(table: pl.DataFrame, name: str, here: Console) -> bytes:
    """The bytes of a workbook."""
    if table.height > MOST_ROWS:
        raise Refusal(422, f"A worksheet cannot hold {table.height:,} rows: choose CSV.")
    with TemporaryDirectory(dir=here.settings.work) as folder:
        path = Path(folder) / "table.xlsx"
        write_xlsx({name: table}, path)
        return path.read_bytes()


def _reviews_in(shown: View, kind: pl.DataType) -> pl.DataFrame:
    """The reviews of a view under the names that it gives to reviewers."""
    reviews, papers, scale = shown["reviews"], shown["papers"]["paper"], shown["scale"]
    score = pl.Series("score", reviews["score"], dtype=pl.Float64)
    if scale["symbols"] is not None:
        score = score.replace_strict(scale["levels"], scale["symbols"], return_dtype=pl.String)
    elif (score == score.round()).all():
        score = score.cast(pl.Int64)
    return pl.DataFrame(
        {
            "reviewer": pl.Series(
                [shown["reviewers"][number] for number in reviews["reviewer"]], dtype=pl.String
            ),
            "paper": pl.Series([papers[number] for number in reviews["paper"]], dtype=kind),
            "score": score,
            "dequantized": pl.Series(reviews["dequantized"], dtype=pl.Float64),
            "percentile": pl.Series(reviews["percentile"], dtype=pl.Float64),
        }
    )


def _with_more(papers: pl.DataFrame, reviews: pl.DataFrame, wanted: Export) -> pl.DataFrame:
    """What the page shows beside the columns of papers.csv, where it was asked for: how far the mean
    moved, and statistics of percentiles.
    """
    if "moved" in (wanted.columns or ()):
        papers = papers.with_columns(moved=pl.col("dequantized_mean") - pl.col("score_mean"))
    if not any(name.startswith("percentile_") for name in wanted.columns or ()):
        return papers
    one = pl.col("percentile")
    statistics = reviews.group_by("paper").agg(
        percentile_min=one.min(),
        percentile_max=one.max(),
        percentile_mean=one.mean(),
        percentile_median=one.median(),
        percentile_spread=one.max() - one.min(),
    )
    return papers.join(statistics, on="paper", how="left", maintain_order="left")


def _chosen(table: pl.DataFrame, wanted: Export) -> pl.DataFrame:
    """These papers in this order, and these columns."""
    if wanted.papers is not None:
        ids = pl.DataFrame(
            {"_id": list(dict.fromkeys(map(str, wanted.papers)))}, {"_id": pl.String}
        )
        named = table.with_columns(pl.col("paper").cast(pl.String).alias("_id"))
        table = ids.join(named, on="_id", how="inner", maintain_order="left_right").select(
            table.columns
        )
    return table.select(_known(table.columns, wanted.columns))


def _known(columns: Sequence[str], wanted: Sequence[str] | None) -> list[str]:
    if wanted is None:
        return list(columns)
    unknown = [name for name in wanted if name not in columns]
    if unknown or not wanted:
        raise Refusal(
            422,
            f"There is no column {unknown[0][:100]!r}; there are {', '.join(columns)}."
            if unknown
            else "Choose at least one column.",
        )
    return list(dict.fromkeys(wanted))
