"""One conference written in every format that is read, for tests and measurements."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tests.formats.given_files import workbook
from unround.cli.commands.simulate import SHAPES
from unround.formats.registry import system_module
from unround.formats.synthetic import NamedConference, named
from unround.formats.systems import hotcrp
from unround.formats.systems.hotcrp.writers import ordinal
from unround.output.tables import write_csv
from unround.scale import Scale
from unround.simulate import Conference, thurstone

PAPERS_PER_REVIEWER = 4
Writer = Callable[[NamedConference, Path], object]


def small() -> NamedConference:
    """Return a conference of 40 reviews."""
    return named(thurstone(10, scale=[0, 2, 4, 6, 8, 10], seed=5), 5)


def dressed_up(path: Path, most: int | None = None) -> NamedConference:
    """Give public scores, which name no reviewers, made-up reviewers and rankings; or the first."""
    scores = pl.read_csv(path, n_rows=most).select(
        paper=pl.col("paper").rank("dense").cast(pl.Int64) - 1, score="score"
    )
    scores = scores.sort("paper", maintain_order=True)
    reviewers = math.ceil(scores.height / PAPERS_PER_REVIEWER)
    random = np.random.default_rng(2026)
    # Reviews of one paper are neighbours: they get different reviewers.
    reviews = scores.select(
        reviewer=pl.Series(random.permutation(reviewers)[np.arange(scores.height) % reviewers]),
        paper="paper",
        score="score",
    )
    order = reviews.with_columns(noise=pl.Series(random.random(reviews.height)))
    ranked = order.with_columns(
        rank=(pl.col("score") + pl.col("noise")).rank("ordinal", descending=True).over("reviewer")
    )
    levels = Scale(sorted(reviews["score"].unique().to_list()))
    rankings = ranked.select("reviewer", "paper", pl.col("rank").cast(pl.Int64))
    return named(Conference(reviews, rankings, np.zeros(reviews.height), levels))


def consecutive(conference: NamedConference) -> NamedConference:
    """Return the conference on the scale 1, 2, .., n, the only one that HotCRP has."""
    places = {level: place for place, level in enumerate(conference.scale.levels, start=1)}
    scores = conference.reviews["score"].replace_strict(places, return_dtype=pl.Int64)
    reviews = conference.reviews.with_columns(scores.alias("score"))
    return replace(conference, reviews=reviews, scale=Scale(sorted(places.values())))


def _tables(suffix: str, write: Callable[[pl.DataFrame, Path], object]) -> Writer:
    """Return the writer of two plain tables."""

    def written(conference: NamedConference, folder: Path) -> None:
        write(conference.reviews, folder / f"reviews.{suffix}")
        write(conference.rankings, folder / f"rankings.{suffix}")

    return written


def _xlsx(conference: NamedConference, folder: Path) -> None:
    """Write one workbook with two sheets."""
    tables = {"Reviews": conference.reviews, "Rankings": conference.rankings}
    sheets = {name: [table.columns, *table.iter_rows()] for name, table in tables.items()}
    workbook(folder / "conference.xlsx", **sheets)


def _hotcrp_ranks(conference: NamedConference, folder: Path) -> None:
    """Write the ranks as batch/rank.php reads them."""
    ranks = conference.rankings.select(user="reviewer", item="paper", rank="rank")
    ranks.write_csv(folder / "ranks.csv")


def _hotcrp_rows(conference: NamedConference) -> Iterator[dict[str, Any]]:
    ordered = consecutive(conference).reviews.sort("paper", maintain_order=True)
    numbered = ordered.with_columns(number=pl.int_range(pl.len()).over("paper"))
    yield from numbered.iter_rows(named=True)


def _hotcrp(conference: NamedConference, folder: Path) -> None:
    hotcrp.write_conference(consecutive(conference), folder)


def _hotcrp_table(
    conference: NamedConference,
    path: Path,
    header: str,
    row: Callable[[dict[str, Any]], Iterable[Any]],
) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header.split(","))
        writer.writerows(map(row, _hotcrp_rows(conference)))
    _hotcrp_ranks(conference, path.parent)


def _review_id(row: dict[str, Any]) -> str:
    return f"{row['paper']}{ordinal(row['number'])}"


def _hotcrp_scores(conference: NamedConference, folder: Path) -> None:
    _hotcrp_table(
        conference,
        folder / "scores.csv",
        "paper,title,review,reviewername,email,OveMer,RevExp",
        lambda r: (
            *(r["paper"], r["title"], _review_id(r), r["reviewer_name"], r["reviewer"]),
            *(r["score"], r["confidence"]),
        ),
    )


def _hotcrp_batch(conference: NamedConference, folder: Path) -> None:
    _hotcrp_table(
        conference,
        folder / "batch.csv",
        "pid,review,email,round,submitted_at,vtag,status,Overall merit",
        lambda r: (r["paper"], _review_id(r), r["reviewer"], "R1", 1, 1, "complete", r["score"]),
    )


def _hotcrp_review(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "object": "review",
        "pid": row["paper"],
        "ordinal": ordinal(row["number"]),
        "status": "complete",
        "reviewer": row["reviewer_name"],
        "reviewer_email": row["reviewer"],
        "OveMer": row["score"],
    }


def _hotcrp_api(conference: NamedConference, folder: Path) -> None:
    reviews = [_hotcrp_review(row) for row in _hotcrp_rows(conference)]
    (folder / "reviews.json").write_text(json.dumps(reviews), encoding="utf-8")
    _hotcrp_ranks(conference, folder)


def _hotcrp_rqc(conference: NamedConference, folder: Path) -> None:
    papers: dict[int, dict[str, Any]] = {}
    for row in _hotcrp_rows(conference):
        paper = papers.setdefault(
            row["paper"], {"pid": row["paper"], "title": row["title"], "reviews": []}
        )
        paper["reviews"].append(_hotcrp_review(row))
    levels = [f"Level {level}" for level in consecutive(conference).scale.levels]
    form = {"OveMer": {"name": "Overall merit", "type": "radio", "values": levels}}
    document = {"hotcrp_version": "3", "reviewform": form, "papers": list(papers.values())}
    (folder / "rqc.json").write_text(json.dumps(document), encoding="utf-8")
    _hotcrp_ranks(conference, folder)


def _hotcrp_forms(conference: NamedConference, folder: Path) -> None:
    with (folder / "forms.txt").open("w", encoding="utf-8") as file:
        for row in _hotcrp_rows(conference):
            file.write(
                f"==+== Begin Review #{_review_id(row)}\n"
                f"==+== Reviewer: {row['reviewer_name']} <{row['reviewer']}>\n"
                f"==+== Paper #{row['paper']}\n==-== Title: {row['title']}\n"
                f"==+== Review Readiness\nReady\n"
                f"==*== Overall merit\n{row['score']}. A label\n==+== End Review\n"
            )
    _hotcrp_ranks(conference, folder)


def _indico(conference: NamedConference, folder: Path) -> None:
    """Write a synthetic conference as Indico exports it; rankings, which it lacks, as a table."""
    abstracts: dict[int, dict[str, Any]] = {}
    for number, row in enumerate(conference.reviews.iter_rows(named=True), start=1):
        abstract = {"friendly_id": row["paper"], "title": row["title"], "state": "submitted"}
        known = abstracts.setdefault(
            row["paper"], {**abstract, "reviewed_for_tracks": [], "reviews": []}
        )
        user = {"full_name": row["reviewer_name"], "email": row["reviewer"]}
        rating = {"question": 1, "value": row["score"]}
        known["reviews"].append({"id": number, "user": user, "ratings": [rating]})
    questions = [{"id": 1, "title": "Merit", "no_score": False}]
    document = {"abstracts": list(abstracts.values()), "questions": questions, "version": 1}
    (folder / "abstracts.json").write_text(json.dumps(document), "utf-8")
    write_csv(conference.rankings, folder / "rankings.csv")


def _pretalx(conference: NamedConference, folder: Path) -> None:
    """Write a synthetic conference as pretalx exports it; rankings, which it lacks, as a table."""
    names = {"Score": "score", "Proposal ID": "paper", "Proposal title": "title"}
    names |= {"Reviewer name": "reviewer_name", "Reviewer email": "reviewer"}
    write_csv(conference.reviews.select(**names), folder / "reviews.csv")
    write_csv(conference.rankings, folder / "rankings.csv")


FORMATS: dict[str, Writer] = {
    "csv": _tables("csv", write_csv),
    "tsv": _tables("tsv", lambda table, path: table.write_csv(path, separator="\t")),
    "xlsx": _xlsx,
    "json": _tables("json", pl.DataFrame.write_json),
    "jsonl": _tables("jsonl", pl.DataFrame.write_ndjson),
    "parquet": _tables("parquet", pl.DataFrame.write_parquet),
    "hotcrp reviews": _hotcrp,
    "hotcrp scores": _hotcrp_scores,
    "hotcrp batch": _hotcrp_batch,
    "hotcrp api": _hotcrp_api,
    "hotcrp rqc": _hotcrp_rqc,
    "hotcrp forms": _hotcrp_forms,
    **{
        system: system_module(system).write_conference
        for system in SHAPES
        if system not in ("csv", "hotcrp")
    },
    "pretalx": _pretalx,
    "indico": _indico,
}
