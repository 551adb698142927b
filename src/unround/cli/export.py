"""unround export: a finished run for the chair's tool."""

from __future__ import annotations

import json
from pathlib import Path

import click

from unround.cli.screen import out, plain_errors
from unround.formats.runs import Run, read_run

TARGETS = ("hotcrp", "openreview", "csv", "xlsx")


@click.command(
    "export",
    short_help="Write a finished run for a conference system.",
    epilog="Example: unround export results --to hotcrp -o assignments.csv",
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--to", "target", type=click.Choice(TARGETS), required=True, help="What to write.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="File to write."
)
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@click.option(
    "--per-review", is_flag=True, help="HotCRP: a private tag value for each review as well."
)
@click.option("--tag", default="dq", show_default=True, help="HotCRP: how the tags start.")
@click.option("--invitation", help="OpenReview: the invitation that edges are posted to.")
def command(
    run: Path,
    target: str,
    output: Path,
    force: bool,
    per_review: bool,
    tag: str,
    invitation: str | None,
) -> None:
    """Write the results in folder RUN in the form that a conference system or a spreadsheet takes.

    hotcrp: bulk assignments of tag values. openreview: edges as JSON. csv: one table of reviews.
    xlsx: a workbook with reviews and papers.
    """
    with plain_errors():
        if output.exists() and not force:
            raise click.UsageError(f"{output} exists; replace it with --force")
        finished = read_run(run)
        draft = output.with_name(f".{output.name}.unfinished")
        try:
            _write(finished, target, draft, per_review, tag, invitation)
            draft.replace(output)
        finally:
            draft.unlink(missing_ok=True)
    out().print(f"{output}: {finished.papers.height:,} papers, {finished.scores.height:,} reviews")


def _write(
    run: Run, target: str, path: Path, per_review: bool, tag: str, invitation: str | None
) -> None:
    from unround.formats import hotcrp, openreview
    from unround.formats.writing import write_csv, write_xlsx

    if target == "csv":
        write_csv(run.scores.join(run.papers, on="paper", how="left", maintain_order="left"), path)
    elif target == "xlsx":
        write_xlsx({"Papers": run.papers, "Reviews": run.scores}, path)
    elif target == "hotcrp":
        path.write_text(
            hotcrp.assignments(run.scores, run.papers, tag=tag, per_review=per_review), "utf-8"
        )
    else:
        if invitation is None:
            raise click.UsageError(
                "--to openreview needs --invitation, such as VENUE/-/Dequantized_Score"
            )
        edges = openreview.edges(run.scores, run.papers, invitation)
        path.write_text(json.dumps(edges, indent=1, ensure_ascii=False) + "\n", "utf-8")
