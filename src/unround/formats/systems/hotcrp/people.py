"""Link the names in HotCRP's rankings to the reviewers of the reviews."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unround.formats.cells import listed
from unround.formats.model import ImportRefused
from unround.formats.reviewers import KnownReviewers


def resolve(labels: Iterable[str], reviewers: KnownReviewers, file: str) -> dict[str, str]:
    """Return the one reviewer behind each label; refuse labels that mean nobody or several."""
    meant = {label: reviewers.find(label) for label in dict.fromkeys(labels)}
    unknown = [label for label, people in meant.items() if not people]
    if unknown and reviewers and not reviewers.have_names:
        raise ImportRefused(
            f"{file}: the reviews do not say who wrote them, so this ranking cannot be linked to "
            "them. Export the reviews again with a chair's (administrator's) account, which sees "
            "reviewername and email"
        )
    unclear = [
        f"{label!r} may be {' or '.join(people)}"
        for label, people in meant.items()
        if len(people) > 1
    ]
    if unknown or unclear:
        raise ImportRefused(f"{file}: {_refusal(unknown, unclear)}")
    return {label: people[0] for label, people in meant.items()}


def _refusal(unknown: Sequence[str], unclear: Sequence[str]) -> str:
    reasons: list[str] = []
    if unknown:
        reasons.append(f"no review is by {listed([repr(label) for label in unknown])}")
    if unclear:
        reasons.append(f"names that several reviewers share: {listed(unclear)}")
    return (
        "; ".join(reasons) + ". Give the reviews of the same conference, with names and e-mails; "
        "write the e-mail in place of a shared name, and remove the rankings of people who wrote "
        "no reviews"
    )
