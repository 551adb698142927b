"""Links to ballots: made for many reviewers at once, shown once, as a table for a mail merge."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from sqlalchemy.orm import Session

from unround.console.access import links
from unround.console.errors import Absent
from unround.console.schemas.ballots import BallotLink, BallotLinks, CreatedBallotLinks
from unround.console.settings import ConsoleSettings
from unround.console.storage.orm import BallotRow, CollectionRow, LinkRow
from unround.output.tables import shielded


def make_ballot_links(
    session: Session,
    settings: ConsoleSettings,
    collection: CollectionRow,
    ballots: Sequence[BallotRow],
    request: BallotLinks,
) -> CreatedBallotLinks:
    """Make a link for each ballot that is asked for."""
    open_ones = links.open_links(session, collection.conference)
    wanted = _ballots_to_link(ballots, open_ones, request)
    if request.existing == "replace":
        for ballot in wanted:
            for link in open_ones.get(ballot.id, ()):
                links.revoke(session, link)
    made = [_new_link(session, settings, collection, ballot, request.days) for ballot in wanted]
    return CreatedBallotLinks(links=made, csv=mail_merge(made))


def mail_merge(made: Sequence[BallotLink]) -> str:
    """Return links as a CSV table: name, email, link, expires."""
    rows = [
        (
            one.name or one.reviewer,
            one.email or "",
            one.url,
            "" if one.expires is None else f"{one.expires:%Y-%m-%d %H:%M} UTC",
        )
        for one in made
    ]
    schema = dict.fromkeys(("name", "email", "link", "expires"), pl.String)
    return shielded(pl.DataFrame(rows, schema=schema, orient="row")).write_csv()


def _ballots_to_link(
    ballots: Sequence[BallotRow], open_ones: dict[str, list[LinkRow]], request: BallotLinks
) -> list[BallotRow]:
    if request.ballot is not None:
        chosen = [ballot for ballot in ballots if ballot.id == request.ballot]
        if not chosen:
            raise Absent
        return chosen
    if request.only == "unanswered":
        return [ballot for ballot in ballots if ballot.submitted is None]
    if request.only == "without_link":
        return [ballot for ballot in ballots if ballot.id not in open_ones]
    return list(ballots)


def _new_link(
    session: Session,
    settings: ConsoleSettings,
    collection: CollectionRow,
    ballot: BallotRow,
    days: int | None,
) -> BallotLink:
    link, secret = links.make_link(
        session, conference=collection.conference, ballot=ballot.id, days=days, label=""
    )
    shown = {name: getattr(ballot, name) for name in ("reviewer", "name", "email")}
    url = settings.link(secret)
    return BallotLink(ballot=ballot.id, url=url, expires=link.expires, **shown)
