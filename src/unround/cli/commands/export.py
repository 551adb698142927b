"""unround export: write a finished run for a conference system or a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import FOLDER
from unround.cli.screen import out
from unround.formats.model import ExportOptions
from unround.output.atomic import whole_file
from unround.output.targets import check_file
from unround.runs.exports import SYSTEM_OF, export_for_system, with_decisions
from unround.runs.folder import SavedRun, read_run
from unround.runs.inputs import openreview_client
from unround.wording import EXPORT_PARTS, SYSTEM_EXPORTS

TARGETS = (*SYSTEM_OF, "csv", "parquet", "xlsx")


@click.command(
    "export",
    short_help="Export a finished run to a conference system or spreadsheet.",
    epilog="Example: unround export results --to hotcrp -o assignments.csv",
)
@click.argument("run", type=FOLDER)
@click.option("--to", "target", type=click.Choice(TARGETS), required=True, help="Format to write.")
@click.option("-o", "--output", type=FOLDER, required=True, help="File to write.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option(
    "--include",
    multiple=True,
    type=click.Choice([*EXPORT_PARTS]),
    default=("scores",),
    show_default=True,
    help="HotCRP: what to write; repeat for several.",
)
@click.option(
    "--decisions",
    type=FOLDER,
    help="Table of paper and decision, such as the console's papers.csv (default: the run's).",
)
@click.option("--per-review", is_flag=True, help="HotCRP: also write a tag value per review.")
@click.option("--tag", default="dq", show_default=True, help="HotCRP: prefix of the tags.")
@click.option("--invitation", help="OpenReview: invitation to post to.")
@click.option("--post", is_flag=True, help="OpenReview: also post what was written.")
def command(
    run: Path,
    target: str,
    output: Path,
    force: bool,
    include: tuple[str, ...],
    decisions: Path | None,
    per_review: bool,
    tag: str,
    invitation: str | None,
    post: bool,
) -> None:
    """Export the results in folder RUN to a conference system or a spreadsheet.

    hotcrp: bulk assignments of tag values and decisions. openreview: an edge per review, as JSON.
    openreview-notes: a note per paper, as JSON. openreview-decisions, cmt: decisions. csv, parquet: one
    table of reviews. xlsx: a workbook of papers with their places before and after, and of reviews with
    their rankings.
    """
    check_file(output, force=force)
    if post and SYSTEM_OF.get(target) != "openreview":
        raise click.UsageError("--post needs --to openreview or openreview-notes")
    finished = read_run(run)
    papers = finished.papers if decisions is None else with_decisions(finished.papers, decisions)
    options = ExportOptions(tag, per_review, invitation, include)
    text = ""
    if target in SYSTEM_OF:
        text = export_for_system(target, finished.scores, papers, options).text
    with whole_file(output) as draft:
        if text:
            draft.write_text(text, "utf-8")
        else:
            _write_table(finished, target, draft)
    if post:
        _post(target, text)
    out().print(f"{output}: {finished.papers.height:,} papers, {finished.scores.height:,} reviews")
    if target in SYSTEM_EXPORTS:
        out().print(SYSTEM_EXPORTS[target].text)


def _write_table(run: SavedRun, target: str, path: Path) -> None:
    from unround.output.tables import write_csv, write_parquet, write_xlsx
    from unround.runs.exports import wide_papers, wide_reviews

    if target in ("csv", "parquet"):
        joined = run.scores.lazy().join(
            run.papers.lazy(), on="paper", how="left", maintain_order="left"
        )
        if target == "csv":
            write_csv(joined.collect(), path)
        else:
            write_parquet(joined, path)
    else:
        write_xlsx({"Papers": wide_papers(run), "Reviews": wide_reviews(run)}, path)


def _post(target: str, text: str) -> None:
    from unround.formats.systems import openreview

    posted = openreview.post(openreview_client(), target, text)
    out().print(f"{posted:,} posted to OpenReview")
