"""run.json read back, also as earlier versions wrote it."""

import pytest

import unround
from unround.runs.record import recorded_settings, run_record
from unround.scale import Scale


@pytest.fixture(scope="module")
def record():
    conference = unround.simulate.thurstone(papers=12, seed=1)
    return run_record(unround.dequantize(conference.reviews, conference.rankings, lam=1.0))


def with_origin(record, origin):
    return {**record, "settings": {**record["settings"], "scale_origin": origin}}


@pytest.mark.parametrize("verb", ["inferred", "told"])  # now, and in earlier versions
def test_a_scale_that_was_inferred_is_inferred_again(record, verb):
    origin = f"{verb} from the scores: consecutive integers; nobody gave 3"
    assert recorded_settings(with_origin(record, origin)).scale is None


def test_a_run_without_the_origin_of_its_scale(record):
    settings = {name: one for name, one in record["settings"].items() if name != "scale_origin"}
    assert recorded_settings({**record, "settings": settings}).scale is None


def test_a_scale_that_was_stated_is_kept(record):
    stated = recorded_settings(with_origin(record, "as stated")).scale
    assert stated == Scale(record["settings"]["scale"])
