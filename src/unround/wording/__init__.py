"""The words for everything that users choose or meet: one table for each kind of thing.

Command line, console, Python and docs take their titles and sentences from here; tests compare the
tables with the enums. `python docs/_tools/wording.py` writes the files of the front end and the docs.
What only these need is imported from `words`.
"""

from unround.wording.issue_kinds import ISSUE_KINDS, advice, further_advice
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
    DUPLICATES,
    EXPORT_PARTS,
    LAMBDA_REASONS,
    LIVE_SYSTEMS,
    MATCH_IDS,
    POLICIES,
    STAGES,
    STATISTICS,
    SYSTEM_EXPORTS,
    SYSTEMS,
    named_systems,
)

__all__ = [
    "COMMAND",
    "CONFERENCE_SYSTEMS",
    "DECISIONS",
    "DUPLICATES",
    "EXPORT_PARTS",
    "ISSUE_KINDS",
    "LAMBDA_REASONS",
    "LIVE_SYSTEMS",
    "MATCH_IDS",
    "PAGE",
    "POLICIES",
    "PYTHON",
    "STAGES",
    "STATISTICS",
    "SYSTEMS",
    "SYSTEM_EXPORTS",
    "Audience",
    "advice",
    "current_audience",
    "further_advice",
    "named_systems",
    "option",
    "written_for",
]
