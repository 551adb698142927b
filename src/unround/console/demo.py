"""A sample conference for `unround serve --demo`, in the middle of its decisions.

It is simulated, and handled by the API's own functions as chairs, area chairs and reviewers would.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from unround import simulate
from unround.ballots.content import BallotContent
from unround.console.access.permissions import Viewer, present_area_chairs
from unround.console.api.routes import access, ballots, conferences, papers, runs
from unround.console.ballots.ballot import papers_of
from unround.console.context import Console, Visit
from unround.console.schemas.ballots import (
    BallotLinks,
    CollectionSource,
    NewCollection,
    SaveBallot,
)
from unround.console.schemas.conferences import NewConference
from unround.console.schemas.papers import Recommendation, SetDecision, SetNote, SetTags
from unround.console.schemas.runs import AcceptanceLine, NewRun, RunChange
from unround.console.storage.orm import (
    BallotRow,
    CollectionRow,
    ConferenceRow,
    RunRow,
    new_id,
    now,
)
from unround.console.storage.uploads import add_files
from unround.errors import UnroundError
from unround.formats.synthetic import named

NAME = "Sample conference"
PAPERS, AREA_CHAIRS, ACCEPTED, SEED = 300, 25, 75, 1
WORDS = tomllib.loads(Path(__file__).with_name("demo.toml").read_text("utf-8"))
WAIT = 300.0  # seconds
CHAIR = Viewer("chair", link="", label="demo", expires=None)


def add_sample(console: Console, report: Callable[[str], object] = lambda step: None) -> str:
    """Make the sample conference, reporting each step in words; return its id."""
    with console.database.reading() as session:
        visit = Visit(console, session, CHAIR)
        with visit.change() as change:
            id = conferences.make_conference(change, CHAIR, NewConference(name=NAME)).id
        conference = session.get_one(ConferenceRow, id)
        report("Computing the runs of a sample conference (slower the first time)")
        files = _upload(console, id)
        forms = [NewRun(files=files, **form) for form in WORDS["runs"]]
        made = [runs.start_run(visit, conference, form).id for form in forms]
        for run in made:
            _wait_for(console, run)
        report("Filling in ballots and decisions of the sample conference")
        with visit.change() as change:
            first, line = change.session.get_one(RunRow, made[0]), AcceptanceLine(amount=ACCEPTED)
            runs.change_run(change, first, RunChange(shared=True, line=line))
        access.take_area_chairs(visit, conference, first, conference.edition)
        order = console.opened_run(first.id).run.papers.sort("dequantized_mean", descending=True)
        _mark(visit, conference, order["paper"].cast(pl.String).to_list())
        _recommend(visit, conference, order)
        _collect(visit, conference, first.id)
    return id


def _upload(console: Console, conference: str) -> list[str]:
    """Upload the tables of the conference, and return the ids of the files."""
    made = named(
        simulate.thurstone(
            PAPERS,
            papers_per_reviewer=(3, 4, 5, 6),
            noise=0.7,
            quality=(2.5, 8.5),
            scale=range(1, 11),
            seed=SEED,
        ),
        SEED,
    )
    known = paper_table()
    tables = {
        "reviews.csv": made.reviews.drop("title", "track", "area_chair"),
        "rankings.csv": _with_contradictions(made.rankings),
        "papers.csv": known,
    }
    contents = [(name, table.write_csv().encode()) for name, table in tables.items()]
    with (
        add_files(console.settings.uploads, conference, contents) as rows,
        console.database.writing() as session,
    ):
        session.add_all(rows)
    return [row.id for row in rows]


def paper_table() -> pl.DataFrame:
    """Return the papers, each with a title of its own, a track, and an area chair of that track."""
    random, tracks = np.random.default_rng(SEED), list(WORDS["topics"])
    titles = {
        track: random.permutation([*product(WORDS["titles"], WORDS["methods"], topics)])
        for track, topics in WORDS["topics"].items()
    }
    rows = []
    for number in range(PAPERS):
        track, chair = tracks[number % len(tracks)], f"{number % AREA_CHAIRS + 1:02}"
        title, method, topic = titles[track][number // len(tracks)]
        rows.append(
            {
                "paper": number + 1,
                "title": title.format(method=method, topic=topic),
                "track": track,
                "area_chair": f"Area chair {chair}",
                "area_chair_email": f"chair{chair}@example.org",
            }
        )
    return pl.DataFrame(rows)


def _with_contradictions(rankings: pl.DataFrame) -> pl.DataFrame:
    """Let every sixth reviewer swap their two best papers, many of which have different scores."""
    people = rankings["reviewer"].unique().sort().gather_every(6).to_list()
    swapped = pl.col("reviewer").is_in(people) & (pl.col("rank") <= 2)
    return rankings.with_columns(rank=pl.when(swapped).then(3 - pl.col("rank")).otherwise("rank"))


def _wait_for(console: Console, run: str) -> None:
    in_time = console.supervisor.wait(run, WAIT)
    with console.database.reading() as session:
        status = session.get_one(RunRow, run).status
    if not in_time or status != "done":
        raise UnroundError(f"the sample conference could not be computed: a run is {status}")


def _mark(visit: Visit, conference: ConferenceRow, order: list[str]) -> None:
    """Let the chairs decide on the clear papers, tag some and write notes on those at the line."""
    for decision, (first, end) in WORDS["decisions"].items():
        decided = SetDecision(papers=order[first:end], decision=decision)
        papers.set_decision(visit, conference, decided)
    for tag, (first, end) in WORDS["tags"].items():
        papers.set_tags(visit, conference, SetTags(papers=order[first:end], add=[tag]))
    for place, note in WORDS["notes"].items():
        papers.set_note(visit, conference, SetNote(paper=order[int(place)], note=note))


def _recommend(visit: Visit, conference: ConferenceRow, order: pl.DataFrame) -> None:
    """Let area chairs recommend on some papers of theirs."""
    with visit.change() as change:
        people = {one.name: one for one in present_area_chairs(change.session, conference.id)}
        for place, said in WORDS["recommendations"].items():
            paper, name = order.select("paper", "area_chair").row(int(place))
            own = replace(change, viewer=Viewer("area_chair", "", name, None, conference.id))
            papers.recommend(own, people[name], Recommendation(paper=str(paper), **said))


def _collect(visit: Visit, conference: ConferenceRow, run: str) -> None:
    """Ask all reviewers for rankings: every second one answers, and most of these hand in."""
    deadline = now() + timedelta(days=7)
    wanted = NewCollection(
        **WORDS["collection"], source=CollectionSource(run=run), deadline=deadline
    )
    made = ballots.make_collection(visit, conference, wanted)
    with visit.change() as change:
        collection = change.session.get_one(CollectionRow, made.id)
        ballots.make_collection_links(change, collection, BallotLinks())
        for number, line in enumerate(made.ballots[::2]):
            own = change.session.get_one(BallotRow, line.id)
            order = papers_of(collection, own)
            order.sort(key=lambda one: one.level or 0, reverse=True)
            if number % 6 == 0:
                order[:2] = order[1::-1]
            said = BallotContent(groups=tuple((one.paper,) for one in order))
            save = SaveBallot(save_id=new_id(), base_version=0, content=said, submit=number % 8 > 0)
            ballots.save_ballot(change, own, save)
