"""Titles and sentences of choices, statistics, statuses and stages, and the words of the glossary."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """A title of a few words, and a sentence."""

    title: str
    text: str


POLICIES = {
    "refuse": Words(
        "Stop and ask", "Stop and list every contradiction, to be settled with the reviewers first."
    ),
    "scores": Words(
        "Trust the scores",
        "Comparisons that contradict their reviewer’s scores are ignored; the others count.",
    ),
    "rankings": Words(
        "Trust the rankings",
        "The ranking holds; a score may leave its rounding range just as far as the ranking needs.",
    ),
}

LAMBDA_CHOICES = {
    "auto+": Words(
        "Auto+",
        "Chosen by simulation: conferences like this one are drawn, and the λ that restores them best "
        "is taken. Steadier than Auto, and more often close to the best λ.",
    ),
    "auto": Words(
        "Auto",
        "Chosen by validation, as in the paper: the scores are rounded once more, and the λ that restores "
        "them best is taken.",
    ),
    "given": Words(
        "Number",
        "A number of your own. Large: scores stay near what was given. Small: they follow the other "
        "reviewers.",
    ),
    "inf": Words(
        "Infinity",
        "Other reviewers do not count: scores move only as far as rankings need.",
    ),
}

# How the λ of a run was chosen, in a clause; any other setting is a number.
LAMBDA_REASONS = {
    "auto": "chosen by quantization validation",
    "auto+": "chosen by simulation",
    "undecided": "undecided",
}

STAGES = {
    "reading": Words("Reading the files", "The files are read and checked."),
    "validating": Words("Choosing λ", "Several values of λ are tried."),
    "solving": Words("Computing scores", "The scores are computed and proven exact."),
    "calibrating": Words("Comparing reviewers", "The strictness of every reviewer is estimated."),
    "sampling": Words(
        "Estimating uncertainty", "Plausible orders of the papers are drawn from the model."
    ),
    "resampling": Words(
        "Resampling reviewers", "Scores are computed again for reviewers drawn at random."
    ),
    "writing": Words("Writing the pages", "A page is written for each area chair."),
    "saving": Words("Saving the results", "The results are written to disk."),
}

UNRANKED = {
    "apart": Words(
        "Compare with none",
        "Papers that a reviewer left out are compared with none of those that they ranked.",
    ),
    "below": Words(
        "Rank below", "Papers that a reviewer left out count as below all that they ranked."
    ),
}

# Which review counts if a reviewer has several of one paper.
DUPLICATES = {
    "refuse": Words("Stop and list them", "Such reviews are issues that stop a run."),
    "newest": Words("The newest counts", "The review that was changed last, as far as files say."),
    "first": Words("The first counts", "The review that comes first in the files."),
    "mean": Words("Their mean counts", "The mean of their scores."),
}

# Whether ids that files write in different ways, such as 6 and Paper 6, are matched.
MATCH_IDS = {
    "certain": Words("Match where it is certain", "Ids are matched where only one match fits."),
    "always": Words("Match as many as possible", "Ids are matched wherever one can be found."),
    "never": Words("Take ids as they are written", "Different spellings are different ids."),
}

# What area chairs get of the numbers of a run.
DISCLOSURES = {
    "order": Words(
        "The order",
        "Area chairs see their papers in an order that gives no score away: the run’s, except near papers "
        "that hidden reviews moved.",
    ),
    "scoped": Words(
        "Their papers alone",
        "Scores are recomputed from the area chair’s own papers only. With few papers each, most ties "
        "will stay.",
    ),
    "exact": Words(
        "Exact numbers",
        "Area chairs get every number of the run. From these digits an area chair can compute many "
        "scores that their reviewers gave to other papers, and the means of those papers.",
    ),
}


class StatisticWords(NamedTuple):
    """A statistic of a paper's scores: its words, and what pages need to know to show it."""

    title: str  # of its column
    text: str
    plural: str
    extra_decimals: int = 0  # that given scores need beyond the decimals of the scale
    least_decimals: int = 0  # of given scores
    follows_scores: bool = True  # whether it can only rise where a score rises


# In the order of columns. `metrics/papers.py` and `web/src/domain/run.ts` compute each by its name.
STATISTICS = {
    "min": StatisticWords("Min", "The lowest score.", "minima"),
    "max": StatisticWords("Max", "The highest score.", "maxima"),
    "mean": StatisticWords("Mean", "The mean score.", "means", 1, 2),
    "median": StatisticWords(
        "Median", "The middle score, or the mean of the two in the middle.", "medians", 1
    ),
    "spread": StatisticWords(
        "Range (max − min)", "The highest score less the lowest.", "ranges", follows_scores=False
    ),
}

# The decisions that are always offered; chairs may write others.
DECISIONS = ("Accept", "Discuss", "Reject")

# What a finished run can be exported to: the system's name, before a "-", and what is written.
SYSTEM_EXPORTS = {
    "hotcrp": Words(
        "HotCRP", "Tags for chairs, and decisions: upload under Assignments > Bulk update."
    ),
    "openreview": Words(
        "OpenReview edges", "An edge for each review (JSON), to be posted by openreview-py."
    ),
    "openreview-notes": Words(
        "OpenReview notes", "A note for each paper (JSON), to be posted by openreview-py."
    ),
    "openreview-decisions": Words(
        "OpenReview decisions",
        "The number and the decision of each paper (CSV): upload the file in the decision stage.",
    ),
    "cmt": Words(
        "CMT paper status",
        "The number and the decision of each paper (text with tabs), for the paper statuses of CMT.",
    ),
    "pretalx": Words(
        "pretalx",
        "The mean of each session (CSV); sent to a site by unround export --post or the console.",
    ),
}
# What an export for HotCRP can hold.
EXPORT_PARTS = {
    "scores": Words(
        "Scores", "Every statistic of each paper: lowest, highest and mean score and so on."
    ),
    "places": Words("Places", "The place of each paper, 1 for the best."),
    "decisions": Words("Decisions", "The decision on each paper, by the names that HotCRP has."),
    "tags": Words("Tags", "The tags that chairs gave to papers."),
}


class System(NamedTuple):
    """A system whose exports can be read: its name, what is read, and its page of the docs."""

    title: str
    text: str
    page: str = "tables"  # in docs
    is_conference_system: bool = True
    exports: tuple[str, ...] = ()  # values of `unround export --to` that it takes back
    is_live: bool = False  # its package has `download` and `push`, for addresses of running sites


# The one list of systems: help, choices, messages, docs and pages derive from it. A name is the value
# of --format and the package in formats/systems with its READERS ("csv" is the package `plain`).
# Readers are asked in this order: plain tables take what no system claims.
SYSTEMS = {
    "hotcrp": System(
        "HotCRP",
        "Reviews and scores (CSV, JSON, offline forms), and rankings by tag.",
        "hotcrp",
        exports=("hotcrp",),
        is_live=True,
    ),
    "openreview": System(
        "OpenReview",
        "Notes, groups, tags and invitations (JSON), or reviews (CSV).",
        "openreview",
        exports=("openreview", "openreview-notes", "openreview-decisions"),
    ),
    "cmt": System("CMT", "Reviews, paper comparisons and submissions.", "cmt", exports=("cmt",)),
    "easychair": System(
        "EasyChair",
        "Reviews, committee and submissions (CSV), or the whole workbook.",
        "other-systems",
    ),
    "pretalx": System(
        "pretalx",
        "Reviews and sessions (CSV or JSON).",
        "other-systems",
        exports=("pretalx",),
        is_live=True,
    ),
    "indico": System("Indico", "Abstracts with their reviews (JSON).", "other-systems"),
    "csv": System(
        "Plain table",
        "Reviews, rankings and papers in CSV, XLSX, ODS, JSON or Parquet.",
        is_conference_system=False,
    ),
}
CONFERENCE_SYSTEMS = {
    name: system for name, system in SYSTEMS.items() if system.is_conference_system
}
LIVE_SYSTEMS = {name: system for name, system in SYSTEMS.items() if system.is_live}


def named_systems() -> str:
    """Return the conference systems as a sentence lists them.

    >>> named_systems()
    'HotCRP, OpenReview, CMT, EasyChair, pretalx or Indico'
    """
    *others, last = (system.title for system in CONFERENCE_SYSTEMS.values())
    return f"{', '.join(others)} or {last}"
