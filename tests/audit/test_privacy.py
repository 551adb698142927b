"""unround audit privacy: what each level gives away, and the command."""

from __future__ import annotations

import re

import polars as pl
import pytest

import unround
from tests.audit.conference import held
from unround.audit.privacy.audit import audit_privacy


@pytest.mark.slow
def test_levels_differ_as_promised():
    conference = held(papers=400, per=12)
    audit = audit_privacy(conference.snapshot, conference.chairs, sample=8, progress=False)
    found = {level.disclosure: level for level in audit.levels}
    assert found["exact"].certain_share > 10
    assert found["exact"].means > 50
    assert found["order"].certain == found["scoped"].certain == 0
    assert audit.audited == 8


def test_command_says_what_each_level_gives_away_to_area_chairs_of_run_or_table(call, tmp_path):
    conference = unround.simulate.thurstone(24, seed=2)
    names = pl.col("paper").mod(4).cast(pl.String)
    reviews = conference.reviews.with_columns(area_chair=pl.format("Chair {}", names))
    result = unround.dequantize(reviews, conference.rankings, lam=10.0)
    folder = result.save(tmp_path / "run")
    ended = call("audit", "privacy", folder, "--sample", 6)
    assert ended.exit_code == 0, ended.output
    assert "Area chairs: 4." in ended.output
    for name in ("order", "scoped", "exact"):
        assert re.search(rf"^ {name} +[\d,]+ of [\d,]+ ", ended.output, re.MULTILINE)
    assert re.search(r"^ order +0 of ", ended.output, re.MULTILINE)
    table = tmp_path / "chairs.csv"
    table.write_text("area_chair,paper\nAnn,1\nAnn,2\nBo,3\nBo,of another year\n")
    ended = call("audit", "privacy", folder, "--areachairs", table, "--sample", 5)
    assert ended.exit_code == 0, ended.output
    assert "Area chairs: 2." in ended.output
    assert "1 papers in the table are not in the run" in ended.output
