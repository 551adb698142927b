"""Random small conferences whose ids, titles, names and e-mails can be told apart in any text."""

import random
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from hypothesis import strategies as st

import unround
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.formats.importer import import_files
from unround.formats.model import Options
from unround.runs.tables import run_tables

KEY = b"a key of the run"
SCALES = ((1, 2, 3, 4, 5), (1, 3, 5, 6, 8, 10), ("D", "C", "B", "A"))


def paper_id(number: int) -> str:
    return f"paper-x7f3-{number}-x"


def title(number: int) -> str:
    return f"Title-q2k9-{number}-q"


def email(number: int) -> str:
    return f"mail-{number}-m@j4w8.example"


def person(number: int) -> str:
    return f"Name-v5t1-{number}-v"


def area_chair(number: int) -> str:
    return f"Chair-b6n0-{number}-b"


@dataclass(frozen=True)
class Conference:
    """A conference that was solved, and who reviewed what."""

    tables: dict[str, pl.DataFrame]  # as written into the run folder
    snapshot: Snapshot
    reviewed: dict[int, list[int]]  # reviewer -> papers

    @property
    def papers(self) -> set[int]:
        return {paper for papers in self.reviewed.values() for paper in papers}

    def scope(self, papers: Iterable[int], **options: object) -> Scope:
        ids = frozenset(map(paper_id, papers))
        return Scope(area_chair(0), ids, **{"key": KEY, **options})


@st.composite
def conferences(draw: st.DrawFn) -> Conference:
    """Rankings that may contradict scores, go in circles, or name papers that were not reviewed."""
    luck = draw(st.randoms(note_method_calls=False, use_true_random=True))
    scale = draw(st.sampled_from(SCALES))
    policy = draw(st.sampled_from(["scores", "rankings"]))
    papers, reviewers = draw(st.integers(1, 9)), draw(st.integers(1, 8))
    reviewed = {
        reviewer: luck.sample(range(papers), luck.randint(1, min(papers, 5)))
        for reviewer in range(reviewers)
    }
    return made(reviewed, scale, policy, luck)


def made(
    reviewed: dict[int, list[int]], levels: tuple, policy: str, luck: random.Random
) -> Conference:
    """Fill in scores and rankings by chance, solve."""
    reviews = [
        (
            *(email(reviewer), person(reviewer), paper_id(paper), luck.choice(levels)),
            *(title(paper), area_chair(paper % 3)),
        )
        for reviewer, papers in reviewed.items()
        for paper in papers
    ]
    luck.shuffle(reviews)
    ranks = [
        (email(reviewer), paper_id(paper), luck.randint(1, 4))
        for reviewer, papers in reviewed.items()
        if luck.random() < 0.7
        for paper in {*papers, luck.randrange(9)}
        if luck.random() < 0.8
    ]
    pairs = [
        (email(reviewer), paper_id(luck.choice(papers)), paper_id(luck.randrange(9)))
        for reviewer, papers in reviewed.items()
        for _ in range(luck.choice([0, 0, 1, 3]))
    ]
    tables = {
        "reviews": (
            reviews,
            ["reviewer", "reviewer_name", "paper", "score", "title", "area_chair"],
        ),
        "ranks": (ranks, ["reviewer", "paper", "rank"]),
        "pairs": (pairs, ["reviewer", "better", "worse"]),
    }
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{name}.csv") for name, (rows, _) in tables.items() if rows]
        for file in files:
            rows, header = tables[file.stem]
            pl.DataFrame(rows, header, orient="row", infer_schema_length=None).write_csv(file)
        # Ranks by chance may skip places or agree, as marks for "not ranked" and places of papers do.
        places = Options(columns={"rank": "rank"} if ranks else {})
        imported = import_files(files[:1], files[1:], places)
        result = unround.dequantize(
            imported,
            lam=luck.choice([0.5, 4.0, 100.0]),
            scale=levels,
            conflicts=policy,
            allow_loss=True,
        )
        return Conference(run_tables(result), Snapshot.of(result), reviewed)
