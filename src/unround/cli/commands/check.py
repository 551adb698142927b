"""unround check: list every issue in the input, without solving."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli import REFUSED
from unround.cli.options import PATH, input_options, method_options
from unround.cli.screen import out, show_issues, show_json
from unround.errors import UsageError
from unround.issues import Kind, count_kinds
from unround.progress import ProgressBar
from unround.runs.inputs import InputFiles
from unround.settings import Settings


@click.command(
    "check",
    short_help="List every issue in the input.",
    epilog="Example: unround check reviews.csv --rankings rankings.csv --output issues.csv",
)
@input_options
@method_options
@click.option("--output", type=PATH, help="Write every issue to this CSV file.")
@click.option(
    "--mail-merge",
    type=PATH,
    help="Write a CSV file with a row, and a sentence to send, per contradicting reviewer.",
)
@click.option("--quiet", is_flag=True, help="No output; only the exit code.")
@click.option("--json", "as_json", is_flag=True, help="Print every issue as JSON.")
def command(
    inputs: InputFiles,
    settings: Settings,
    output: Path | None,
    mail_merge: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """List every issue in REVIEWS and rankings, with file, line, reviewer, papers and scores.

    The exit code is 0 if `unround run` would accept the input, 1 if it would refuse it.
    """
    from unround.output.atomic import whole_file
    from unround.output.tables import write_csv
    from unround.output.targets import check_file
    from unround.preparation import check_tables
    from unround.runs.contradictions import contradictions_by_reviewer
    from unround.runs.record import issue_record, issue_table

    targets = [target for target in (output, mail_merge) if target is not None]
    with ProgressBar(quiet=quiet or as_json) as stages:
        for target in targets:
            check_file(target)
        tables = inputs.read(stages)
        read = {path.resolve() for path in tables.files}
        for target in targets:
            if target.resolve() in read:
                raise UsageError(f"{target} was read; name another file to write")
        issues, reviews = check_tables(tables, settings)
    records = [issue_record(issue) for issue in issues]
    if output is not None:
        with whole_file(output) as draft:
            write_csv(issue_table(records), draft)
    if mail_merge is not None:
        with whole_file(mail_merge) as draft:
            write_csv(contradictions_by_reviewer(issues, tables), draft)
    if as_json:
        show_json({"counts": count_kinds(issues), "issues": records})
    elif not quiet:
        for sentence in (*tables.recognised, *tables.notes):
            out().print(sentence)
        if reviews is not None and not any(one.kind is Kind.DOUBTFUL_SCALE for one in issues):
            out().print(f"Scale: {reviews.scale.text} ({reviews.scale_origin}).")
        if issues:
            show_issues(issues)
        else:
            out().print(f"No issue found in {tables.reviews.height:,} reviews.")
    if any(not issue.action for issue in issues):
        raise click.exceptions.Exit(REFUSED)
