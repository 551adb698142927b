"""Write what the front end and the docs take from the glossary: `python -m unround.wording`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from unround.wording import (
    COMMAND,
    CONFERENCE_SYSTEMS,
    DISCLOSURES,
    HOUSE,
    ISSUE_KINDS,
    LAMBDA_CHOICES,
    OTHER_FORMATS,
    PAGE,
    POLICIES,
    PYTHON,
    STAGES,
    STATISTICS,
    STATUSES,
    TERMS,
    UNRANKED,
    Audience,
    Words,
    advice,
    further_advice,
    written_for,
)
from unround.wording.words import StatisticWords, System

CHECKOUT = Path(__file__).parents[3]
FILES_PAGE = "docs/reference/files.md"


def front_end() -> str:
    """Return glossary.json: a title and a sentence for each value of each group."""
    groups: dict[str, Mapping[str, Words | StatisticWords | System]] = {
        "policies": POLICIES,
        "lambda_choices": LAMBDA_CHOICES,
        "statuses": STATUSES,
        "stages": STAGES,
        "issue_kinds": {
            kind: Words(words.title, _advice(kind, PAGE)) for kind, words in ISSUE_KINDS.items()
        },
        "unranked": UNRANKED,
        "disclosures": DISCLOSURES,
        "statistics": STATISTICS,
        "terms": TERMS,
        "conference_systems": CONFERENCE_SYSTEMS,
        "other_formats": OTHER_FORMATS,
    }
    named = {
        group: {name: words._asdict() for name, words in entries.items()}
        for group, entries in groups.items()
    }
    return json.dumps(named, indent=2, ensure_ascii=False) + "\n"


def words_page() -> str:
    """Return docs/glossary.md: the words of the project, and those of choices, statistics and statuses."""
    lines = [
        "# Glossary",
        "",
        "Words that the pages, the messages and the code use in one sense only.",
        "",
        "| word | meaning |",
        "|---|---|",
        *(f"| {word} | {text} |" for word, text in HOUSE.items()),
        "",
    ]
    for heading, entries in (
        ("Conflicts: what rules", POLICIES),
        ("The choice of λ", LAMBDA_CHOICES),
        ("Papers that a reviewer did not rank", UNRANKED),
        ("Disclosure: what area chairs get of the numbers", DISCLOSURES),
        ("Statistics of the scores of a paper", STATISTICS),
        ("Stages of a run", STAGES),
        ("Statuses in the console", STATUSES),
        ("The method on the pages of a run", TERMS),
    ):
        lines += [f"## {heading}", "", "| value | title | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | {words.title} | {words.text} |" for name, words in entries.items()]
        lines.append("")
    return "\n".join(lines)


def files_page() -> str:
    """Return docs/reference/files.md with the columns of papers.csv: two for each statistic."""
    text = (CHECKOUT / FILES_PAGE).read_text("utf-8")
    head, start, rest = text.partition(
        "| `paper` | as in the input |\n| `reviews` | how many reviews it has |\n"
    )
    rows = [
        f"| `score_{name}`, `dequantized_{name}` | {words.text[0].lower()}{words.text[1:-1]}: as given, "
        "and dequantized |\n"
        for name, words in STATISTICS.items()
    ]
    return "".join([head, start, *rows, "\n", rest.partition("\n\n")[2]])


@written_for(COMMAND)
def issues_page() -> str:
    """Return docs/issues.md: a section for each kind of issue."""
    lines = [
        "# Kinds of issues",
        "",
        "`unround check` and `unround run` list what is wrong or doubtful in the input, with the kind in",
        "front. `unround help KIND` prints these sections in a terminal. An issue stops a run unless the",
        "section says how it is settled.",
        "",
    ]
    for kind, words in ISSUE_KINDS.items():
        lines += [
            f"({kind})=",
            f"## {kind}: {words.title}",
            "",
            words.meaning,
            "",
            f"For example: {words.example}",
            "",
            "**What to do.**",
            "",
            *_ways_out(kind),
            "",
            further_advice(kind),
            "",
        ]
    return "\n".join(lines)


def _ways_out(kind: str) -> list[str]:
    """Return the advice once, or for each audience where it differs."""
    ways = {audience: _advice(kind, audience) for audience in (COMMAND, PYTHON, PAGE)}
    if len(set(ways.values())) == 1:
        return [ways[COMMAND]]
    names = {COMMAND: "Command line", PYTHON: "Python", PAGE: "Console"}
    return [f"- {names[audience]}: {text}" for audience, text in ways.items()]


FILES = {
    "web/src/domain/glossary.json": front_end,
    "docs/glossary.md": words_page,
    "docs/issues.md": issues_page,
    FILES_PAGE: files_page,
}


def _advice(kind: str, audience: Audience) -> str:
    with written_for(audience):
        text = advice(kind)
    return f"{text[0].upper()}{text[1:]}."


if __name__ == "__main__":
    for name, content in FILES.items():
        (CHECKOUT / name).write_text(content(), "utf-8")
