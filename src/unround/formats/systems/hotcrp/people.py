"""Names in rankings -> reviewers of the reviews."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from unround.formats.cells import listed
from unround.formats.model import ImportRefused

LONGEST_LABEL = 1_000
_ADDRESS = re.compile(r"<([^<>\s]+@[^<>\s]+)>\s*$")


class People:
    """The reviewers that earlier files named, by e-mail, name and the e-mail's local part."""

    _latest: ClassVar[tuple[Sequence[Mapping[str, str]], People] | None] = None

    @classmethod
    def among(cls, known: Sequence[Mapping[str, str]]) -> People:
        """These reviewers, indexed once for all the files of an import."""
        latest = cls._latest
        if latest is None or latest[0] is not known:
            latest = cls._latest = known, cls(known)
        return latest[1]

    def __init__(self, known: Sequence[Mapping[str, str]]) -> None:
        self._by_email: defaultdict[str, set[str]] = defaultdict(set)
        self._by_name: defaultdict[str, set[str]] = defaultdict(set)
        self._by_local: defaultdict[str, set[str]] = defaultdict(set)
        self.anyone = bool(known)
        for person in known:
            reviewer = str(person["reviewer"] or "")
            email, name = person.get("reviewer_email"), person.get("reviewer_name")
            self._by_email[_folded(reviewer)].add(reviewer)
            for address in filter(None, (email, reviewer if "@" in reviewer else "")):
                self._by_email[_folded(address)].add(reviewer)
                self._by_local[_folded(address.partition("@")[0])].add(reviewer)
            if name:
                self._by_name[_spelled(name)].add(reviewer)
        self.named = bool(self._by_name or self._by_local)

    def find(self, label: str) -> list[str]:
        """Whom a label may mean, by the most telling way that finds anyone."""
        label = label[:LONGEST_LABEL]
        address = _ADDRESS.search(label)
        ways = (
            self._by_email.get(_folded(address.group(1) if address else label)),
            self._by_name.get(_spelled(_ADDRESS.sub("", label))),
            self._by_local.get(_folded(label)),
        )
        return sorted(next((found for found in ways if found), ()))

    def resolve(self, labels: Iterable[str], file: str) -> dict[str, str]:
        """The one reviewer behind each label; all labels that mean none or several are reported."""
        found = {label: self.find(label) for label in dict.fromkeys(labels)}
        unknown = [label for label, reviewers in found.items() if not reviewers]
        if unknown and self.anyone and not self.named:
            raise ImportRefused(
                f"{file}: the reviews do not say who wrote them, so that this ranking cannot be "
                "linked to them. Export the reviews again with a chair's (administrator's) "
                "account, which sees reviewername and email"
            )
        unclear = [
            f"{label!r} may be {' or '.join(reviewers)}"
            for label, reviewers in found.items()
            if len(reviewers) > 1
        ]
        if unknown or unclear:
            raise ImportRefused(f"{file}: {_complaint(unknown, unclear)}")
        return {label: reviewers[0] for label, reviewers in found.items()}


def _complaint(unknown: Sequence[str], unclear: Sequence[str]) -> str:
    parts: list[str] = []
    if unknown:
        parts.append(f"no review is by {listed([repr(label) for label in unknown])}")
    if unclear:
        parts.append(f"names that several reviewers share: {listed(unclear)}")
    return (
        "; ".join(parts) + ". Give the reviews of the same conference, with names and e-mails; "
        "write the e-mail in place of a shared name, and remove the rankings of people who wrote "
        "no reviews"
    )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()


def _spelled(name: str) -> str:
    """A name without regard to case, punctuation and white space."""
    return re.sub(r"[\W_]+", " ", _folded(name)).strip()
