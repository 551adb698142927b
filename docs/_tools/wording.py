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


def front_end() -> str:
    """Return glossary.json: groups of values with a title and a sentence each, or a title alone."""
    groups: dict[str, Mapping[str, Words | StatisticWords]] = {
        "policies": words.POLICIES,
        "lambda_choices": words.LAMBDA_CHOICES,
        "statuses": words.STATUSES,
        "stages": words.STAGES,
        "issue_kinds": {
            kind: Words(issue.title, _advice(kind, PAGE)) for kind, issue in ISSUE_KINDS.items()
        },
        "unranked": words.UNRANKED,
        "duplicates": words.DUPLICATES,
        "match_ids": words.MATCH_IDS,
        "disclosures": words.DISCLOSURES,
        "statistics": words.STATISTICS,
        "terms": words.TERMS,
        "live_systems": {
            name: Words(system.title, system.text) for name, system in words.LIVE_SYSTEMS.items()
        },
        "conference_systems": _systems(are_conference_systems=True),
        "other_formats": _systems(are_conference_systems=False),
        "system_exports": words.SYSTEM_EXPORTS,
        "export_parts": words.EXPORT_PARTS,
    }
    titles = {
        "disclosure_notes": words.DISCLOSURE_NOTES,
        "disclosure_advice": words.DISCLOSURE_ADVICE,
        "lambda_reasons": words.LAMBDA_REASONS,
        "decisions": words.DECISIONS,
        "input_columns": words.INPUT_COLUMNS,
        "ranking_exports": words.RANKING_EXPORTS,
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
        *(f"| {word} | {text} |" for word, text in words.GLOSSARY.items()),
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
        ("Statuses in the console", words.STATUSES),
        ("The method on the pages of a run", words.TERMS),
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
