"""From Parquet on disk to Parquet on disk: the host passes columns on, and the card numbers the ids."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl

from benchmarks.gpu.data import MOST_LEVEL, draw
from unround.card.ids import number_ids
from unround.card.index import index_papers
from unround.card.launch import CardArray, cuda, for_each
from unround.card.moves import put, take
from unround.certificate.on_card import certify_on_card
from unround.scale import Scale
from unround.selection.curve import PAPER_GRID
from unround.selection.on_card import dequantize_on_card, statements, validate_on_card
from unround.selection.summaries import percentiles_on_card, statistics_on_card
from unround.settings import EPSILON
from unround.solver.gpu.conference import CardConference

SCALE = Scale.integers(0, MOST_LEVEL)
MOST_RANK = 255
Rows = Iterator[tuple[str, ...]]


class Stages:
    """Seconds of each stage, all work on the card done when its clock is read."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        cuda.synchronize()
        began = perf_counter()
        yield
        cuda.synchronize()
        self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - began


def write_input(reviews: int, folder: Path) -> Path:
    """Write a drawn conference in a random order of rows, with ids that are no numbers from 0."""
    conference = draw(reviews)
    paper, level, worth = (each.copy_to_host() for each in conference[1:4])
    random = np.random.default_rng(1)
    rows = random.permutation(paper.size)
    reviewer = rows // 4
    path = folder / "reviews.parquet"
    pl.DataFrame(
        {
            "reviewer": reviewer.astype(np.int64) * 7919 + 100_000,
            "paper": paper[rows].astype(np.int64) * 104_729 + 5,
            "score": level[rows].astype(np.float64),
            "rank": (4 - worth[rows]).astype(np.int64),
        }
    ).write_parquet(path, compression="lz4")
    return path


def _column(path: Path, name: str, stages: Stages) -> CardArray:
    with stages("read the file"):
        values = pl.read_parquet(path, columns=[name])[name].to_numpy()
        if name == "score":
            values = values.astype(np.uint8)
        elif name == "rank":
            values = (MOST_RANK - values).astype(np.uint8)
    with stages("to the card"):
        return cuda.to_device(values)


def _taken(places: CardArray, values: CardArray) -> CardArray:
    taken = cuda.device_array(values.size, dtype=values.dtype)
    for_each(take, values.size, places, values, taken)
    return taken


def run_files(path: Path, out: Path, stages: Stages) -> dict[str, float]:
    """Read, number ids, lay out, choose λ, solve, certify, sum up and write; return what was found."""
    reviewer_ids, paper_ids = _column(path, "reviewer", stages), _column(path, "paper", stages)
    level, worth = _column(path, "score", stages), _column(path, "rank", stages)
    with stages("number the ids"):
        reviewer, reviewers = number_ids(reviewer_ids)
        paper, papers = number_ids(paper_ids)
        named = cuda.device_array(papers, dtype=np.int64)
        for_each(put, paper.size, paper, paper_ids, named)
        del reviewer_ids, paper_ids
    with stages("group by reviewer"):
        index = index_papers(reviewer, reviewers)
        conference = CardConference(
            index.start,
            *(_taken(index.places, values) for values in (paper, level, worth)),
            papers=papers,
        )
    with stages("choose λ"):
        curve = validate_on_card(conference, SCALE, EPSILON, 1e-9, PAPER_GRID)
    with stages("solve"):
        found = dequantize_on_card(conference, SCALE, lam=curve.best, certified=False)
    with stages("certify"):
        certificate = certify_on_card(
            statements(conference, SCALE, EPSILON), papers, found.lam, found.scores, wanted=1e-9
        )
    with stages("percentiles and papers"):
        scores = cuda.device_array(level.size, dtype=np.float64)
        for_each(put, level.size, index.places, found.scores, scores)
        percentile = percentiles_on_card(scores)
        statistics = statistics_on_card(paper, papers, scores)
    with stages("from the card"):
        columns = {
            "dequantized": scores.copy_to_host(),
            "percentile": percentile.copy_to_host(),
        }
        names = ("reviews", "min", "max", "mean", "median", "spread")
        summed = {"paper": named.copy_to_host()}
        summed |= {name: each.copy_to_host() for name, each in zip(names, statistics, strict=True)}
    with stages("write the files"):
        pl.read_parquet(path, columns=["reviewer", "paper", "score"]).with_columns(
            **{name: pl.Series(values) for name, values in columns.items()}
        ).write_parquet(out / "scores.parquet", compression="lz4")
        pl.DataFrame(summed).write_parquet(out / "papers.parquet", compression="lz4")
    return {"lam": found.lam, "max_error": certificate.max_error}


def file_stages(sizes: list[int]) -> Rows:
    """Every stage of the largest size after a run of the smallest, which compiles."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_input(sizes[0], Path(folder))
        run_files(path, Path(folder), Stages())
        for size in sizes:
            path = write_input(size, Path(folder))
            stages = Stages()
            found = run_files(path, Path(folder), stages)
            written = sum(each.stat().st_size for each in Path(folder).glob("*.parquet"))
            label = f"{size:,}"
            for name, seconds in stages.seconds.items():
                yield label, name, f"{seconds:.2f} s"
            yield label, "**all**", f"**{sum(stages.seconds.values()):.2f} s**"
            yield label, "bound proven by the certificate", f"{found['max_error']:.0e}"
            yield label, "files, read and written", f"{written / 1e9:.1f} GB"
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            yield label, "most memory of the process so far", f"{most / 1e6:.1f} GB"
