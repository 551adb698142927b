"""Offline ranking files: one reviewer's ranking, which does not say whose it is."""

from __future__ import annotations

import re

from unround.formats.hotcrp.people import People
from unround.formats.hotcrp.ranking_lines import NotUnderstood, Ranking, Record, records_of
from unround.formats.hotcrp.ranks import Rank, chosen_tag, ranks_sheet
from unround.formats.hotcrp.wording import counted
from unround.formats.model import ImportProblem, Options, Part
from unround.formats.sources import HEAD_BYTES, Source

TITLE = "HotCRP offline ranking"
LARGEST_FILE = 50_000_000
_AROUND_NAME = re.compile(r"(?:^|[-_. ]+)rank(?:ing|s)?(?:[-_. ]+|$)", re.IGNORECASE)


def recognises(source: Source) -> bool:
    """Every line in the head is a line of a ranking."""
    if source.is_folder or source.is_binary or source.looks_like_json or source.looks_like_xml:
        return False
    lines = re.split(r"\r\n|\r|\n", source.head_text)
    if len(source.head) == HEAD_BYTES:
        lines = lines[:-1]
    ranking = Ranking()
    try:
        records = list(records_of(enumerate(lines, start=1)))
        for record in records:
            ranking.follow(record)
    except NotUnderstood:
        return False
    return bool(records)


def read(source: Source, options: Options) -> Part:
    """The ranking of one reviewer."""
    if source.is_binary or source.path.stat().st_size > LARGEST_FILE:
        raise ImportProblem(f"{source.name} is too large, or not a text: no ranking file")
    ranking = _followed(source)
    tag = chosen_tag(source, list(ranking.values) or [""], options.columns.get("rank"))
    reviewer = _ranker(source, options)
    papers = ranking.values[tag]
    ranks = [
        Rank(reviewer, paper, value, f"line {line}")
        for paper, (value, line) in papers.items()
        if value is not None
    ]
    unranked = len(papers) - len(ranks)
    notes = [f"{counted(unranked, 'paper without a rank')} left out"] if unranked else []
    if ranking.repeated:
        overruled = counted(ranking.repeated, "line")
        notes.append(f"{overruled} overruled by a later line for the same paper")
    return Part(
        recognised=f"{source.name}: {TITLE} of {reviewer}",
        ranks=ranks_sheet(source, ranks),
        notes=tuple(f"{source.name}: {note}" for note in notes),
    )


def _followed(source: Source) -> Ranking:
    ranking = Ranking()
    try:
        for record in records_of(source.lines_in()):
            _follow(ranking, record)
    except NotUnderstood as problem:
        raise ImportProblem(
            f"{source.name}, {problem}: not a line of a ranking; expected MARK,PAPER with the mark "
            "empty, >, =, a number, or X for a paper that is not ranked"
        ) from problem
    return ranking


def _follow(ranking: Ranking, record: Record) -> None:
    try:
        ranking.follow(record)
    except NotUnderstood as problem:
        raise NotUnderstood(f"line {record.line} {problem}") from problem


def _ranker(source: Source, options: Options) -> str:
    """Whose file it is: as the user says, or as its name says."""
    people = People.among(options.known_reviewers)
    if options.ranker is not None:
        return people.resolve([options.ranker], source.name)[options.ranker]
    for label in (source.path.stem, source.name, _AROUND_NAME.sub("", source.path.stem)):
        if people.find(label):
            return people.resolve([label], source.name)[label]
    raise ImportProblem(
        f"{source.name} holds the ranking of one reviewer but does not say whose, and no reviewer "
        f"is called {source.path.stem!r}; name the file after its author (jane@example.org.txt), "
        "or say who it is with --ranker E-MAIL"
    )
