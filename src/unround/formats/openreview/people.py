"""Signatures -> people. A person signs differently on every paper; only groups tell who it is."""

from __future__ import annotations

from collections.abc import Mapping

from unround.formats.model import ImportProblem

NAMED_IN_MESSAGES = 5
UNLINKED = (
    "reviewers are anonymous ids that differ from paper to paper, so that one person's papers "
    "cannot be linked and rankings across papers have no effect; give the groups as a file too: "
    "client.get_all_groups(prefix='VENUE/Submission') with a chair's account, saved as JSON"
)


class People:
    """Looks signatures up among the members of groups, and keeps those that are not there."""

    def __init__(self, members: Mapping[str, str]) -> None:
        self._members = members
        self._missing: dict[str, None] = {}
        self._anonymous = False

    def person(self, signature: str) -> str:
        """The profile behind a signature; the signature itself where no groups were given."""
        if signature.startswith("~") or ("@" in signature and "/" not in signature):
            return signature
        if not self._members:
            self._anonymous = True
            return signature
        found = self._members.get(signature)
        if found is None:
            self._missing[signature] = None
        return found or signature

    def check(self, name: str) -> None:
        """Refuse signatures that the given groups do not explain."""
        if not self._missing:
            return
        first = ", ".join(list(self._missing)[:NAMED_IN_MESSAGES])
        more = len(self._missing) - NAMED_IN_MESSAGES
        raise ImportProblem(
            f"{name}: signatures that are in none of the given groups: {first}"
            f"{f' and {more} more' if more > 0 else ''}; save the groups of every submission: "
            "client.get_all_groups(prefix='VENUE/Submission')"
        )

    def notes(self) -> tuple[str, ...]:
        """That reviewers could not be linked, if so."""
        return (UNLINKED,) if self._anonymous else ()
