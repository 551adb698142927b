"""The reviewers that earlier files named, so that rankings can be linked to them."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

LONGEST_LABEL = 1_000
_ADDRESS = re.compile(r"<([^<>\s]+@[^<>\s]+)>\s*$")
Index = Mapping[str, set[str]]


class KnownReviewers(tuple[Mapping[str, str], ...]):
    """Rows of reviewer, reviewer_name and reviewer_email, indexed when a label is first looked up."""

    def find(self, label: str) -> list[str]:
        """Return the reviewers a label may mean, by the most telling way that finds anyone."""
        label = label[:LONGEST_LABEL]
        address = _ADDRESS.search(label)
        by_email, by_name, by_local_part = self._indices
        matches = (
            by_email.get(_folded(address.group(1) if address else label)),
            by_name.get(_spelled(_ADDRESS.sub("", label))),
            by_local_part.get(_folded(label)),
        )
        return sorted(next((reviewers for reviewers in matches if reviewers), ()))

    @property
    def have_names(self) -> bool:
        """Whether any of them has a name or an e-mail."""
        _, by_name, by_local_part = self._indices
        return bool(by_name or by_local_part)

    @cached_property
    def _indices(self) -> tuple[Index, Index, Index]:
        """By e-mail, by name, and by the part of the e-mail before the @."""
        by_email: defaultdict[str, set[str]] = defaultdict(set)
        by_name: defaultdict[str, set[str]] = defaultdict(set)
        by_local_part: defaultdict[str, set[str]] = defaultdict(set)
        for person in self:
            reviewer = str(person["reviewer"] or "")
            email, name = person.get("reviewer_email"), person.get("reviewer_name")
            by_email[_folded(reviewer)].add(reviewer)
            for address in filter(None, (email, reviewer if "@" in reviewer else "")):
                by_email[_folded(address)].add(reviewer)
                by_local_part[_folded(address.partition("@")[0])].add(reviewer)
            if name:
                by_name[_spelled(name)].add(reviewer)
        return by_email, by_name, by_local_part


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()


def _spelled(name: str) -> str:
    """A name without regard to case, punctuation and white space."""
    return re.sub(r"[\W_]+", " ", _folded(name)).strip()
