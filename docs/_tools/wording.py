"""Write what front end, docs and README take from the glossary: `python docs/_tools/wording.py`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from unround.wording import words
from unround.wording.issue_kinds import ISSUE_KINDS, advice, further_advice
from unround.wording.options import COMMAND, PAGE, PYTHON, Audience, written_for
from unround.wording.words import SYSTEMS, StatisticWords, System, Words, named_systems

CHECKOUT = Path(__file__).parents[2]
FILES_PAGE, INDEX, ISSUES_PAGE = "docs/files.md", "docs/index.md", "docs/issues.md"
SYSTEMS_MARK, END_MARK = "<!-- systems -->", "<!-- end -->"
KINDS_MARK = "<!-- kinds of issues: written by docs/_tools/wording.py; change the kinds instead -->"


# Words that only pages and docs show; what Python says as well is in `unround.wording`.

STATUSES = {
    "queued": Words("Waiting", "Waiting for its turn."),
    "running": Words("Running", "Being computed."),
    "done": Words("Done", "Finished: the results can be opened."),
    "refused": Words("Refused", "The input has issues that must be settled first."),
    "failed": Words("Failed", "Stopped by an error."),
    "cancelled": Words("Cancelled", "Stopped by a chair."),
}

# What area chairs read about their numbers above their pages, by disclosure.
DISCLOSURE_NOTES = {
    "order": "An order of your papers that gives no score away. The chairs’ list can differ in places.",
    "scoped": "Scores are recomputed from the reviews and rankings of your papers only.",
    "exact": "The numbers are the exact ones of the run.",
}

# What chairs read beside the choice of what area chairs get.
DISCLOSURE_ADVICE = {
    "scoped": "Recommended with fewer than 100 papers, five levels or fewer, or area chairs who also review: "
    "there, an order of papers can give single scores of other papers away.",
    "several_runs": "Several runs are shared. Two orders of the same papers give more away than one: share "
    "one run, or choose “Their papers alone”.",
}

# Columns that can be named by hand (--column), those that are missed most first.
INPUT_COLUMNS = {
    "reviewer": "Reviewer",
    "paper": "Paper",
    "score": "Score",
    "rank": "Rank (1 = best)",
    "better": "Better paper of a pair",
    "worse": "Worse paper of a pair",
    "title": "Title",
    "track": "Track",
    "area_chair": "Area chair",
    "review": "Review",
}

# The formats of the rankings that ballots make.
RANKING_EXPORTS = {
    "ranks": "Ranks (CSV)",
    "pairs": "Comparisons (CSV)",
    "same": "About the same (CSV)",
    "workbook": "Workbook (XLSX)",
    "hotcrp": "HotCRP",
    "openreview": "OpenReview tags",
    "cmt": "CMT",
    "scores": "Changed scores (CSV)",
}

# What the pages of a run call the method's parts.
TERMS = {
    "rounding_range": Words(
        "Rounding range",
        "Every exact score that rounds to the given one. At the ends of the scale it reaches half a "
        "step beyond, so that 10.02 or 0.97 can occur.",
    ),
    "widened_range": Words(
        "Widened rounding range",
        "Trust the rankings: the rounding range is widened just as far as the reviewer’s ranking needs.",
    ),
    "lambda": Words(
        "How far scores follow the other reviewers (λ)",
        "Small: scores move towards the other reviews of their paper. Large: they stay near what was "
        "given.",
    ),
    "epsilon": Words(
        "Smallest step between ranked papers (ε)",
        "Two papers that a reviewer ranks one above the other are at least this far apart, in steps "
        "of the scale.",
    ),
    "checked": Words(
        "Checked: no score is off by more than",
        "Computed from the finished scores alone, without trusting the solver.",
    ),
}

# The words of the code and of these pages, in alphabetical order.
GLOSSARY = {
    "area chair": "A person in charge of some papers; sees those papers and nothing of the others.",
    "ballot": "The page on which one reviewer puts their papers in order, and what they said there.",
    "binding": "A comparison that holds two scores exactly ε apart: without it they would be closer.",
    "cell": "The range of real scores that round to one level. A level of 6 on whole numbers has the "
    "cell from 5.5 to 6.5.",
    "calibrated": "Of a paper's score: with the strictness of its reviewers taken out.",
    "centre": "The mean that the solver keeps for each paper; reviews are pulled towards it with λ.",
    "certificate": "The proof that no score is further from the optimum than a stated bound, computed "
    "without the solver.",
    "chain": "The papers of one reviewer in one order, best to worst, without ties.",
    "chair": "The person who runs the conference, and sees everything.",
    "comparison": "One paper above another, as a reviewer stated it or as their ranks imply.",
    "component": "Papers of a reviewer that comparisons connect; each is solved by itself.",
    "conflict": "Statements of one reviewer that cannot all hold.",
    "consensus": "The assumption that other reviewers' scores say how a reviewer would order tied papers.",
    "contradiction": "A comparison that says the opposite of its author's two scores.",
    "covering pair": "A comparison that does not follow from the reviewer's other comparisons.",
    "dequantized score": "The real-valued score of a review: in its cell, in its reviewer's order, "
    "pulled to the others.",
    "disclosure": "What area chairs get of the numbers of a run: the order, numbers of their papers "
    "alone, or the exact numbers.",
    "epsilon (ε)": "The smallest gap between two ranked papers, in units of the smallest spacing of "
    "levels.",
    "issue": "Something wrong or doubtful in the input, with its place and what to do about it.",
    "lambda (λ)": "How heavily the given score weighs against the other reviewers of the paper.",
    "level": "One of the scores that a reviewer could choose.",
    "line": "Where the papers that can be accepted end, in the order by one statistic.",
    "P(accept)": "The chance of a paper to be above the line, by the model; on the pages the column In?.",
    "percentile": "The share of reviews with a lower score, ties counted half.",
    "place": "The position of a paper in the order by one statistic; tied papers share a range of places.",
    "policy": "What rules where a ranking contradicts scores: refuse, scores or rankings.",
    "poset": "The papers of one reviewer where some pairs are not compared, directly or by others.",
    "problem": "The convex program that is solved.",
    "quantization validation": "Rounding the scores once more and seeing which λ restores them best.",
    "run": "One computation kept as a folder: tables, run.json and the report.",
    "scale": "Every level, worst to best, whether used or not.",
    "scope": "The papers that a viewer may see, and what of them.",
    "snapshot": "A run as tables in memory, from which every viewer's view is made.",
    "star": "A paper in a ranking that the viewer may not see, shown without its name.",
    "statement": "A rank, a stated pair or an “about the same”, as the reviewer gave it.",
    "strictness": "How much lower or higher a reviewer scores than others, whatever the paper.",
    "sweep": "One pass of the solver over all components and centres.",
    "tie": "Two reviews with the same score, to four decimals after dequantizing.",
    "view": "One run as one viewer may see it: everything that a page receives.",
}


def front_end() -> str:
    """Return glossary.json: groups of values with a title and a sentence each, or a title alone."""
    groups: dict[str, Mapping[str, Words | StatisticWords]] = {
        "policies": words.POLICIES,
        "lambda_choices": words.LAMBDA_CHOICES,
        "statuses": STATUSES,
        "stages": words.STAGES,
        "issue_kinds": {
            kind: Words(issue.title, _advice(kind, PAGE)) for kind, issue in ISSUE_KINDS.items()
        },
        "unranked": words.UNRANKED,
        "duplicates": words.DUPLICATES,
        "match_ids": words.MATCH_IDS,
        "disclosures": words.DISCLOSURES,
        "statistics": words.STATISTICS,
        "terms": TERMS,
        "live_systems": {
            name: Words(system.title, system.text) for name, system in words.LIVE_SYSTEMS.items()
        },
        "conference_systems": _systems(are_conference_systems=True),
        "other_formats": _systems(are_conference_systems=False),
        "system_exports": words.SYSTEM_EXPORTS,
        "export_parts": words.EXPORT_PARTS,
    }
    titles = {
        "disclosure_notes": DISCLOSURE_NOTES,
        "disclosure_advice": DISCLOSURE_ADVICE,
        "lambda_reasons": words.LAMBDA_REASONS,
        "decisions": words.DECISIONS,
        "input_columns": INPUT_COLUMNS,
        "ranking_exports": RANKING_EXPORTS,
    }
    named = {
        group: {name: entry._asdict() for name, entry in entries.items()}
        for group, entries in groups.items()
    }
    return json.dumps({**named, **titles}, indent=2, ensure_ascii=False) + "\n"


def _systems(*, are_conference_systems: bool) -> dict[str, Words]:
    return {
        name: Words(system.title, system.text)
        for name, system in SYSTEMS.items()
        if system.is_conference_system is are_conference_systems
    }


def words_page() -> str:
    """Return docs/glossary.md: the words of the project, and those of choices, statistics and statuses."""
    lines = [
        "# Glossary",
        "",
        "Words that the pages, the messages and the code use in one sense only.",
        "",
        "| word | meaning |",
        "|---|---|",
        *(f"| {word} | {text} |" for word, text in GLOSSARY.items()),
        "",
    ]
    for heading, entries in (
        ("Conflicts: what rules", words.POLICIES),
        ("The choice of λ", words.LAMBDA_CHOICES),
        ("Papers that a reviewer did not rank", words.UNRANKED),
        ("Several reviews of one paper by one reviewer", words.DUPLICATES),
        ("Ids that files write in different ways", words.MATCH_IDS),
        ("Disclosure: what area chairs get of the numbers", words.DISCLOSURES),
        ("Statistics of the scores of a paper", words.STATISTICS),
        ("Stages of a run", words.STAGES),
        ("Statuses in the console", STATUSES),
        ("The method on the pages of a run", TERMS),
    ):
        lines += [f"## {heading}", "", "| value | title | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | {entry.title} | {entry.text} |" for name, entry in entries.items()]
        lines.append("")
    return "\n".join(lines)


def files_page() -> str:
    """Return docs/files.md with the columns of papers.csv: two for each statistic."""
    text = (CHECKOUT / FILES_PAGE).read_text("utf-8")
    head, start, rest = text.partition(
        "| `paper` | as in the input |\n| `reviews` | how many reviews it has |\n"
    )
    rows = [
        f"| `score_{name}`, `dequantized_{name}` | {entry.text[0].lower()}{entry.text[1:-1]}: as given, "
        "and dequantized |\n"
        for name, entry in words.STATISTICS.items()
    ]
    return "".join([head, start, *rows, "\n", rest.partition("\n\n")[2]])


def readme() -> str:
    """Return README.md with the conference systems named where it lists them."""
    return _filled((CHECKOUT / "README.md").read_text("utf-8"), named_systems())


def index_page() -> str:
    """Return docs/index.md with the conference systems and their pages named where it lists them."""
    systems = words.CONFERENCE_SYSTEMS.values()
    text = _filled(
        (CHECKOUT / INDEX).read_text("utf-8"),
        named_systems(),
        "\n".join(f"- [{system.title}]({_address(system)}): {system.text}" for system in systems),
    )
    # No mark can stand in the table of contents: its systems are between these two lines.
    first, last = "\n:caption: Your system\n\n", "tables\n"
    head, _, rest = text.partition(first)
    pages = dict.fromkeys(f"{system.page}\n" for system in systems if f"{system.page}\n" != last)
    return "".join([head, first, *pages, last, rest.partition(last)[2]])


def _address(system: System) -> str:
    """Return the page of a system, and its section where several share the page."""
    sharing = [other for other in words.CONFERENCE_SYSTEMS.values() if other.page == system.page]
    return f"{system.page}.md" + (f"#{system.title.lower()}" if len(sharing) > 1 else "")


def _filled(page: str, *parts: str) -> str:
    """Return a page with these parts, in order, between its marks <!-- systems --> and <!-- end -->."""
    head, *rest = page.split(SYSTEMS_MARK)
    pieces = zip(parts, rest, strict=True)
    return head + "".join(
        f"{SYSTEMS_MARK}{_apart(part)}{END_MARK}{old.partition(END_MARK)[2]}"
        for part, old in pieces
    )


def _apart(part: str) -> str:
    """Return a list on lines of its own; a sentence stays as it is."""
    return f"\n\n{part}\n\n" if part.startswith("- ") else part


@written_for(COMMAND)
def issues_page() -> str:
    """Return docs/issues.md with a section for each kind of issue below the mark."""
    text = (CHECKOUT / ISSUES_PAGE).read_text("utf-8")
    lines = [f"{text.partition(KINDS_MARK)[0]}{KINDS_MARK}", ""]
    for kind, issue in ISSUE_KINDS.items():
        lines += [
            f"({kind})=",
            f"### {kind}: {issue.title}",
            "",
            issue.meaning,
            "",
            f"For example: {issue.example}",
            "",
            *_ways_out(kind),
            "",
        ]
    return "\n".join(lines)


def _ways_out(kind: str) -> list[str]:
    """Return the advice once, or for each audience where it differs, and what else helps."""
    ways = {audience: _advice(kind, audience) for audience in (COMMAND, PYTHON, PAGE)}
    if len(set(ways.values())) == 1:
        return [f"**What to do.** {ways[COMMAND]} {further_advice(kind)}"]
    names = {COMMAND: "Command line", PYTHON: "Python", PAGE: "Console"}
    listed = [f"- {names[audience]}: {text}" for audience, text in ways.items()]
    return [f"**What to do.** {further_advice(kind)}", "", *listed]


FILES = {
    "web/src/domain/glossary.json": front_end,
    "docs/glossary.md": words_page,
    ISSUES_PAGE: issues_page,
    FILES_PAGE: files_page,
    INDEX: index_page,
    "README.md": readme,
}


def _advice(kind: str, audience: Audience) -> str:
    with written_for(audience):
        text = advice(kind)
    return f"{text[0].upper()}{text[1:]}."


if __name__ == "__main__":
    for name, content in FILES.items():
        (CHECKOUT / name).write_text(content(), "utf-8")
