"""run.json read back."""

import pytest

import unround
from unround.runs.record import recorded_settings, run_record
from unround.scale import Scale


@pytest.fixture(scope="module")
def record():
    conference = unround.simulate.thurstone(papers=12, seed=1)
    return run_record(unround.dequantize(conference.reviews, conference.rankings, lam=1.0))


@pytest.mark.parametrize(
    ("origin", "stated"),
    [
        ("inferred from the scores: consecutive integers; nobody gave 3", False),
        ("as stated", True),
    ],
    ids=["inferred", "stated"],
)
def test_a_scale_is_inferred_again_unless_it_was_stated(record, origin, stated):
    settings = {**record["settings"], "scale_origin": origin}
    again = recorded_settings({**record, "settings": settings}).scale
    assert again == (Scale(record["settings"]["scale"]) if stated else None)
