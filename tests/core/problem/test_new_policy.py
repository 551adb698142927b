"""The recipe for a new policy about conflicts: its name, its words, and what it does with an order."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from importlib.util import module_from_spec, spec_from_file_location
from typing import get_args

import click
import polars as pl
import pytest
from click.testing import CliRunner

import unround
from unround import preparation, settings
from unround.cli import options
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.problem import conflicts
from unround.problem.conflicts import ReviewerOrder, Rule, Settled, settle
from unround.settings import Policy, PolicyName, Settings
from unround.wording import PAGE, POLICIES, option, written_for
from unround.wording.words import Words

REVIEWS = pl.DataFrame({"reviewer": ["ann"] * 3, "paper": [1, 2, 3], "score": [3, 5, 5]})
RANKS = pl.DataFrame({"reviewer": ["ann"] * 3, "paper": [1, 2, 3], "rank": [1, 2, 3]})
WithUnrank = StrEnum("WithUnrank", [*(policy.name for policy in Policy), "UNRANK"])


def unrank(case: ReviewerOrder) -> Settled:
    """Drop the whole ranking of a reviewer who contradicts their scores."""
    found = settle(case, Policy.SCORES)
    if not found.issues:
        return found
    everything = [(1 << len(case.order)) - 1] * len(case.order)
    dropped = replace(case, order=case.order.without(everything))
    issues = [replace(issue, action="ranking dropped") for issue in found.issues]
    return replace(settle(dropped, Policy.SCORES), issues=issues)


@pytest.fixture
def made_up_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "Policy", WithUnrank)
    rule = Rule(unrank, drops=True, done="ranking dropped")
    monkeypatch.setitem(conflicts.POLICIES, "unrank", rule)
    monkeypatch.setitem(POLICIES, "unrank", Words("Unrank", "Drop a ranking that contradicts."))


@pytest.mark.usefixtures("made_up_policy")
def test_a_new_policy_settles_conflicts() -> None:
    found = {
        policy: unround.dequantize(REVIEWS, RANKS, scale="1..5", lam=1.0, conflicts=policy)
        for policy in ("scores", "unrank")
    }
    assert {issue.action for issue in found["unrank"].issues} == {"ranking dropped"}
    by_scores, unranked = (one.scores["dequantized"].to_list() for one in found.values())
    assert by_scores[1] > by_scores[2]  # the rest of the ranking counts
    assert unranked == [3.0, 5.0, 5.0]


@pytest.mark.usefixtures("made_up_policy")
def test_a_new_policy_is_an_option_of_commands_and_pages() -> None:
    spec = spec_from_file_location("options_with_another_policy", options.__file__)
    assert spec is not None
    assert spec.loader is not None
    again = module_from_spec(spec)
    spec.loader.exec_module(again)

    @click.command()
    @again.method_options
    def command(settings: Settings) -> None:
        click.echo(settings.conflicts)

    run = CliRunner().invoke
    assert run(command, ["--conflicts", "unrank"]).output == "unrank\n"
    assert "[refuse|scores|rankings|unrank]" in run(command, ["--help"]).output
    with written_for(PAGE):
        assert option("conflicts", "unrank") == "“Unrank”"


@pytest.mark.usefixtures("made_up_policy")
def test_what_a_new_policy_drops_is_counted_and_shown_as_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = unround.dequantize(REVIEWS, RANKS, scale="1..5", lam=1.0, conflicts="unrank")
    scope = Scope("Ann", frozenset("123"), key=b"k" * 32)
    shown = view(Snapshot.of(result), scope)["run"]["issues"]
    assert {issue["action"] for issue in shown} == {"ranking dropped"}
    monkeypatch.setattr(preparation, "LEAST_LOST", 1)
    more = pl.concat([REVIEWS, REVIEWS.with_columns(paper=pl.col("paper") + 3)])
    against = RANKS.with_columns(rank=pl.Series([1, 2, 2]))
    with pytest.raises(unround.InputRefused, match="comparisons cannot hold"):
        unround.dequantize(more, against, scale="1..5", lam=1.0, conflicts="unrank")


def test_every_policy_has_a_name_words_and_a_function() -> None:
    names = [str(policy) for policy in Policy]
    assert list(get_args(PolicyName)) == names
    assert list(POLICIES) == names
    assert [str(policy) for policy in conflicts.POLICIES] == names
