"""Run studies and write their tables, figures and report into one folder (`unround reproduce`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unround.errors import UsageError
from unround.lab.catalogue.iclr import HOW_TO_GET, read_scores
from unround.lab.figures import check_installed, draw, save
from unround.lab.pages.document import Picture, write_report
from unround.lab.pages.report import TITLE, check, glance, report_blocks
from unround.lab.plan import PAPERS_DATA, Plan, plan_for
from unround.lab.results.summary import Results, tidy, write_tables
from unround.lab.trials.runner import Store, lacking_scores, run, tasks_of
from unround.output.targets import check_place
from unround.progress import StageProgress

# A results folder holds the trials to resume from, and what is made of them.
OURS = frozenset(("trials", "tables", "figures", "report.html", "REPORT.md"))


@dataclass(frozen=True)
class Reproduction:
    """What was run and written."""

    folder: Path
    studies: tuple[str, ...]
    lacking: tuple[str, ...]  # studies left out, wholly or in block, for want of data
    glance: str


def reproduce(
    names: Sequence[str],
    folder: Path,
    *,
    trials: int,
    data: Path | None,
    jobs: int,
    client: Any = None,
    progress: StageProgress,
) -> Reproduction:
    """Run studies and write their results. Trials that are finished in the folder are kept.

    With a Dask client the trials run on its cluster.
    """
    check_installed()
    check_folder(folder)
    scores = None if data is None else read_scores(data)
    is_other = data is not None and scores is not None and not scores.is_iclr_2017
    plan = plan_for(names, data.name if data is not None and is_other else PAPERS_DATA)
    tasks = tasks_of(plan, trials, scores)
    lacking = tuple(lacking_scores(plan, scores))
    if not tasks:
        raise UsageError(f"nothing can run: {HOW_TO_GET}")
    finished = run(
        tasks,
        scores,
        Store(folder / "trials"),
        jobs=jobs,
        client=client,
        progress=lambda done, total: progress("trials", done, total),
    )
    results = Results(plan.studies, tidy(finished))
    write_tables(results.table, folder / "tables")
    pictures = _pictures(plan, results, folder, progress)
    checks = check(plan, results, scores)
    blocks = report_blocks(plan, results, checks, scores, lacking, pictures)
    write_report(TITLE, blocks, folder)
    studies = tuple(dict.fromkeys(task.study.name for task in tasks))
    return Reproduction(folder, studies, lacking, glance(checks))


def check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be written, or that holds files of others."""
    check_place(folder)
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder for the results")
    strange = sorted(path.name for path in folder.iterdir() if not _is_ours(path.name))
    if strange:
        raise UsageError(
            f"{folder} holds files that are not from unround's lab ({strange[0]}); "
            "name another folder"
        )


def _is_ours(name: str) -> bool:
    return name in OURS or name.startswith(".")


def _pictures(plan: Plan, results: Results, folder: Path, progress: StageProgress) -> list[Picture]:
    pictures = []
    for done, figure in enumerate(plan.figures):
        progress("figures", done, len(plan.figures))
        drawing = draw(figure, results)
        if drawing is not None:
            svg = save(drawing, figure.name, folder / "figures")
            pictures.append(Picture(figure.name, figure.title, svg))
    progress("figures", len(plan.figures), len(plan.figures))
    return pictures
