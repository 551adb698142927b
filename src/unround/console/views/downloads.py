"""Tables to download: what a viewer sees, as CSV or as a workbook."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from unround.console.access.permissions import RunAccess
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.paper_schemas import Export, Marks
from unround.console.schemas import KeptLine
from unround.formats.files.write import shielded, write_xlsx
from unround.report.model import OUTSIDE, View
from unround.runs import workbook
from unround.runs.chances import with_chances
from unround.runs.folder import Run
from unround.runs.sureness import PLACES, UNCERTAINTY

STAR = "★"  # stands for a paper outside an area chair's scope
MOST_ROWS = 1_000_000  # a worksheet has a few more
CHAIRS_ONLY = ("area_chair",)
INTERVALS = ("place_low", "place_high", "low", "high")


def chair_table(run: Run, marks: Marks, request: Export) -> pl.DataFrame:
    """Return the table that a chair requested."""
    if request.table == "reviews":
        return _chosen(run.scores, request)
    papers = _with_sureness(with_marks(run.papers, marks), run, request.line)
    return _chosen(_with_more(papers, workbook.statements(run), request), request)


def area_chair_table(run: Run, view: View, request: Export) -> pl.DataFrame:
    """Return the table that an area chair requested, made only of what their view contains."""
    reviews = _reviews_in(view, run.papers.schema["paper"])
    if request.table == "reviews":
        return _chosen(reviews, request)
    inside = reviews.select("paper").unique()
    papers = run.papers.drop(*CHAIRS_ONLY, strict=False)
    papers = papers.join(inside, on="paper", how="semi", maintain_order="left")
    if view["disclosure"] != "exact":
        papers = _restated(papers, reviews, view)
    said = reviews.join(_rankings_in(view), on="reviewer", how="left", maintain_order="left")
    return _chosen(_with_more(papers, said, request), request)


def with_marks(papers: pl.DataFrame, marks: Marks) -> pl.DataFrame:
    """Add the chairs' decisions, tags and notes; decisions of the import get a name of their own."""
    kind = papers.schema["paper"]
    table = pl.DataFrame(
        {
            "_id": [one.paper for one in marks.papers],
            "decision": [one.decision for one in marks.papers],
            "tags": [" ".join(one.tags) for one in marks.papers],
            "note": [one.note for one in marks.papers],
        },
        schema={"_id": pl.String, "decision": pl.String, "tags": pl.String, "note": pl.String},
    )
    imported = papers.rename({"decision": "imported_decision"}, strict=False)
    return (
        imported.with_columns(pl.col("paper").cast(pl.String).alias("_id"))
        .join(table, on="_id", how="left", maintain_order="left")
        .drop("_id")
        .with_columns(pl.col("paper").cast(kind))
    )


def _with_sureness(papers: pl.DataFrame, run: Run, line: KeptLine | None) -> pl.DataFrame:
    """Add the intervals of a run that was asked how sure it is, and P(accept) for a line."""
    if UNCERTAINTY not in run.others:
        return papers
    kind = papers.schema["paper"]
    intervals = run.others[UNCERTAINTY].select(pl.col("paper").cast(kind), *INTERVALS)
    papers = papers.join(intervals, on="paper", how="left", maintain_order="left")
    if line is None or (line.per_track and "track" not in papers.columns):
        return papers
    return with_chances(
        papers, run.others[PLACES], line.amount, percent=line.percent, per_track=line.per_track
    )


def _restated(papers: pl.DataFrame, reviews: pl.DataFrame, view: View) -> pl.DataFrame:
    """Replace the run's statistics of dequantized scores by those of the view."""
    shown = view["statistics"]
    if shown is not None:
        columns = {f"dequantized_{name}": values for name, values in shown.items()}
        ids = pl.Series("paper", view["papers"]["paper"], dtype=papers.schema["paper"])
        statistics = pl.DataFrame(
            {"paper": ids, **columns}, {"paper": ids.dtype} | dict.fromkeys(columns, pl.Float64)
        )
    else:
        statistics = _statistics(reviews, "dequantized")
    order = papers.columns
    kept = papers.drop(name for name in statistics.columns if name != "paper")
    return kept.join(statistics, on="paper", how="left", maintain_order="left").select(order)


def _statistics(reviews: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return one row per paper with the statistics of a column of its reviews."""
    one = pl.col(name)
    return reviews.group_by("paper").agg(
        one.min().alias(f"{name}_min"),
        one.max().alias(f"{name}_max"),
        one.mean().alias(f"{name}_mean"),
        one.median().alias(f"{name}_median"),
        (one.max() - one.min()).alias(f"{name}_spread"),
    )


def as_csv(table: pl.DataFrame) -> bytes:
    """Return the bytes of a CSV file that Excel takes for UTF-8."""
    return codecs.BOM_UTF8 + shielded(table).write_csv().encode()


def as_xlsx(tables: Mapping[str, pl.DataFrame], console: Console) -> bytes:
    """Return the bytes of a workbook with one sheet per table."""
    most = max(table.height for table in tables.values())
    if most > MOST_ROWS:
        raise Refusal(422, f"A worksheet cannot hold {most:,} rows: choose CSV.")
    with TemporaryDirectory(dir=console.settings.work) as folder:
        path = Path(folder) / "table.xlsx"
        write_xlsx(tables, path)
        return path.read_bytes()


def file_name(access: RunAccess, table: str) -> str:
    """Return a file's name with conference, run and date: "Demo-2026_First-run_2026-03-01_papers.csv"."""
    run = access.run
    day = f"{run.finished:%Y-%m-%d}" if run.finished else ""
    words = (re.sub(r"[\W_]+", "-", part).strip("-") for part in (access.conference.name, run.name))
    return "_".join(filter(None, (*words, day, table)))


def _reviews_in(view: View, kind: pl.DataType) -> pl.DataFrame:
    """Return the reviews of a view, with the reviewer names that the view shows."""
    reviews, papers, scale = view["reviews"], view["papers"]["paper"], view["scale"]
    score = pl.Series("score", reviews["score"], dtype=pl.Float64)
    if scale["symbols"] is not None:
        score = score.replace_strict(scale["levels"], scale["symbols"], return_dtype=pl.String)
    elif (score == score.round()).all():
        score = score.cast(pl.Int64)
    return pl.DataFrame(
        {
            "reviewer": pl.Series(
                [view["reviewers"][number] for number in reviews["reviewer"]], dtype=pl.String
            ),
            "paper": pl.Series([papers[number] for number in reviews["paper"]], dtype=kind),
            "score": score,
            "dequantized": pl.Series(reviews["dequantized"], dtype=pl.Float64),
            "percentile": pl.Series(reviews["percentile"], dtype=pl.Float64),
        }
    )


def _rankings_in(view: View) -> pl.DataFrame:
    """Return the ranking of each reviewer of a view as a text, with stars for papers outside."""
    papers = view["papers"]["paper"]

    def name(paper: int) -> str:
        return STAR if paper == OUTSIDE else str(papers[paper])

    texts = []
    for ranking in view["rankings"]:
        groups = " > ".join(" = ".join(map(name, group)) for group in ranking["groups"])
        pairs = (f"{name(better)} > {name(worse)}" for better, worse in ranking["pairs"])
        texts.append("; ".join(filter(None, (groups, *pairs))))
    schema = {"reviewer": pl.String, "ranking": pl.String}
    return pl.DataFrame({"reviewer": view["reviewers"], "ranking": texts}, schema=schema)


def _with_more(papers: pl.DataFrame, said: pl.DataFrame, request: Export) -> pl.DataFrame:
    """Add requested columns that papers.csv lacks. `said`: the reviews, each with a ranking."""
    columns = set(request.columns or ())
    now = "percentile" if request.mode == "percentile" else "dequantized"
    placed = columns & set(workbook.PLACES)
    if "moved" in columns:
        papers = papers.with_columns(moved=pl.col("dequantized_mean") - pl.col("score_mean"))
    if columns & {"scores", "rankings"}:
        mode = "score" if request.mode == "given" else request.mode
        papers = workbook.with_scores(papers, said, mode)
    if any(name.startswith("percentile_") for name in columns) or (placed and now == "percentile"):
        papers = _with_percentiles(papers, said)
    if placed:
        papers = workbook.with_places(papers, request.statistic, now, descending=request.descending)
    return papers


def _with_percentiles(papers: pl.DataFrame, reviews: pl.DataFrame) -> pl.DataFrame:
    statistics = _statistics(reviews, "percentile")
    return papers.join(statistics, on="paper", how="left", maintain_order="left")


def _chosen(table: pl.DataFrame, request: Export) -> pl.DataFrame:
    """Return the requested papers in their order, with the requested columns."""
    if request.papers is not None:
        ids = pl.DataFrame(
            {"_id": list(dict.fromkeys(map(str, request.papers)))}, {"_id": pl.String}
        )
        named = table.with_columns(pl.col("paper").cast(pl.String).alias("_id"))
        table = ids.join(named, on="_id", how="inner", maintain_order="left_right").select(
            table.columns
        )
    return table.select(_checked_columns(table.columns, request.columns))


def _checked_columns(columns: Sequence[str], names: Sequence[str] | None) -> list[str]:
    if names is None:
        return list(columns)
    unknown = [name for name in names if name not in columns]
    if unknown or not names:
        raise Refusal(
            422,
            f"There is no column {unknown[0][:100]!r}; there are {', '.join(columns)}."
            if unknown
            else "Choose at least one column.",
        )
    return list(dict.fromkeys(names))
