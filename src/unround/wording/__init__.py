"""The words for everything that users choose or meet: one table for each kind of thing.

Command line, console, Python and docs take their titles and sentences from here; tests compare the
tables with the enums. `python -m unround.wording` writes the files of the front end and the docs.
"""

from unround.wording.issue_kinds import ISSUE_KINDS, IssueWords, advice, further_advice
from unround.wording.options import (
    COMMAND,
    PAGE,
    PYTHON,
    Audience,
    current_audience,
    option,
    written_for,
)
from unround.wording.words import (
    CONFERENCE_SYSTEMS,
    DECISIONS,
    DISCLOSURE_NOTES,
    DISCLOSURES,
    DUPLICATES,
    HOUSE,
    INPUT_COLUMNS,
    LAMBDA_CHOICES,
    LAMBDA_REASONS,
    MATCH_IDS,
    POLICIES,
    RANKING_EXPORTS,
    STAGES,
    STATISTICS,
    STATUSES,
    SYSTEM_EXPORTS,
    SYSTEMS,
    TERMS,
    UNRANKED,
    Words,
    named_systems,
)

__all__ = [
    "COMMAND",
    "CONFERENCE_SYSTEMS",
    "DECISIONS",
    "DISCLOSURES",
    "DISCLOSURE_NOTES",
    "DUPLICATES",
    "HOUSE",
    "INPUT_COLUMNS",
    "ISSUE_KINDS",
    "LAMBDA_CHOICES",
    "LAMBDA_REASONS",
    "MATCH_IDS",
    "PAGE",
    "POLICIES",
    "PYTHON",
    "RANKING_EXPORTS",
    "STAGES",
    "STATISTICS",
    "STATUSES",
    "SYSTEMS",
    "SYSTEM_EXPORTS",
    "TERMS",
    "UNRANKED",
    "Audience",
    "IssueWords",
    "Words",
    "advice",
    "current_audience",
    "further_advice",
    "named_systems",
    "option",
    "written_for",
]
