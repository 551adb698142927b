"""The single file: whole, closed to the outside, and not to be broken by what it shows."""

import random
from dataclasses import replace

import polars as pl
import pytest

from tests.report.made_up import Conference, made
from tests.report.open_page import digest, opened
from unround.disclosure.view import view
from unround.report.pages import PageNotBuilt, is_built, page

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "]]>'\"&amp;<b>",
    "line\u2028and\u2029paragraph",
    "${title} $title \\u003c",
]


@pytest.fixture(scope="module")
def conference() -> Conference:
    return made({0: [0, 1, 2], 1: [1, 2, 3], 2: [4]}, (1, 2, 3), "scores", random.Random(3))


def test_titles_cannot_break_out(conference, bundle):
    papers = conference.snapshot.papers.with_columns(pl.Series("title", HOSTILE))
    hostile = replace(conference.snapshot, papers=papers)
    shown = view(hostile, conference="</title><script>", name="A & B")
    found = opened(page(shown, bundle=bundle))
    assert found.tags.count("script") == 3
    assert found.tags.count("style") == found.tags.count("title") == 1
    assert found.view["papers"]["title"] == HOSTILE
    assert found.view["conference"] == "</title><script>"


def test_only_this_code_runs_cannot_end_itself_and_asks_for_nothing(conference, bundle):
    found = opened(page(view(conference.snapshot), bundle=bundle))
    style, (unpack, script) = found.texts[1], found.scripts
    [policy] = [attributes for _, attributes in found.elements if "http-equiv" in attributes]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert policy["content"].split("; ") == [
        "default-src 'none'",
        f"script-src '{digest(unpack)}' '{digest(script)}'",
        f"style-src '{digest(style)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert "\r" not in script, "a browser hashes what it reads: single line ends"
    assert "</script>" in script  # packed, and so not in the page
    assert "</script>" not in "".join(found.texts)
    assert '"<\\/style>"' in style
    asking = {"src", "href", "srcset", "action", "data", "poster"}
    assert [one for one in found.elements if asking & one[1].keys()] == []
    assert ("meta", {"name": "referrer", "content": "no-referrer"}) in found.elements
    assert ("html", {"lang": "en"}) in found.elements
    assert {"noscript", "div"} <= set(found.tags)


@pytest.mark.parametrize("missing", ["report.js", "report.css"])
def test_front_end_that_is_not_built_is_reported(conference, bundle, missing):
    (bundle / missing).unlink()
    assert not is_built(bundle)
    with pytest.raises(PageNotBuilt, match="`make web`"):
        page(view(conference.snapshot), bundle=bundle)
