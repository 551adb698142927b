"""unround report, and the page that unround run writes."""

import re

import polars as pl
import pytest

import unround
from tests.report.open_page import opened
from unround.disclosure.area_chairs import TableRefused, area_chairs_of
from unround.formats.synthetic import named, write_conference
from unround.report import pages


@pytest.fixture
def run(built, call, tmp_path):
    """A run of 30 papers of three area chairs."""
    write_conference(named(unround.simulate.thurstone(30, seed=5)), tmp_path)
    ended = call(
        *("run", tmp_path / "reviews.csv", "--rankings", tmp_path / "rankings.csv"),
        *("--lam", 4, "-o", tmp_path / "run"),
    )
    assert ended.exit_code == 0, ended.output
    assert "left out" not in ended.output
    return tmp_path / "run"


def titles_in(path):
    return {int(number) for number in re.findall(r"Synthetic paper (\d+)", path.read_text())}


def papers_of(run, chair):
    table = pl.read_csv(run / "papers.csv")
    return set(table.filter(pl.col("area_chair") == chair)["paper"].to_list())


def test_run_writes_the_chairs_page_and_report_makes_it_again(run, call, tmp_path):
    shown = opened((run / "report.html").read_bytes()).view
    assert shown["viewer"]["role"] == "chair"
    assert shown["papers"]["paper"] == list(range(1, 31))
    assert shown["papers"]["area_chair"][0] == "Chair 1"
    tables = {"scores.csv", "papers.csv", "explanation.csv", "rankings.csv", "bindings.csv"}
    others = {"run.json", "report.html", "SHA256SUMS"}
    assert {path.name for path in run.iterdir()} == tables | others
    ended = call("report", run, "-o", tmp_path / "pages" / "page.html")
    assert ended.exit_code == 0, ended.output
    assert "30 papers, 120 reviews" in ended.output
    assert (tmp_path / "pages" / "page.html").read_bytes() == (run / "report.html").read_bytes()
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["page.html"]


def test_area_chair_gets_their_papers_without_names_and_with_stars_unless_switched(
    run, call, tmp_path
):
    folder, target = tmp_path / "pages", tmp_path / "pages" / "chair-2.html"
    page = ("report", run, "--all-area-chairs", "--title", "Conf 26", "--force", "-o", folder)
    ended = call(*page)
    assert ended.exit_code == 0, ended.output
    assert titles_in(target) == papers_of(run, "Chair 2")
    text = target.read_text()
    assert "example.org" not in text
    assert "Chair 1" not in text
    shown = opened(text.encode()).view
    assert "-1" in str(shown["rankings"])
    assert shown["conference"] == "Conf 26"
    call(*page, "--names", "--no-stars")
    shown = opened(target.read_bytes()).view
    assert shown["viewer"] == {"role": "area_chair", "name": "Chair 2", "reviewer_names": True}
    assert re.fullmatch(r"Reviewer \d{5}", shown["reviewers"][0])
    assert "-1" not in str([shown["rankings"], shown["bindings"]])


def test_pseudonyms_follow_a_random_key_of_the_run(run, call, tmp_path):
    """Who reviews what is known to many: the numbers of reviewers must not follow from it."""
    pages = []
    write_all = ("report", run, "--all-area-chairs", "-o")
    for number in map(str, range(3)):
        if number == "2":
            (run / "pseudonyms.key").unlink()
        call(*write_all, tmp_path / number)
        shown = opened((tmp_path / number / "chair-2.html").read_bytes()).view
        pages.append((shown["reviews"]["paper"], shown["reviews"]["score"]))
    assert (run / "pseudonyms.key").stat().st_mode & 0o777 == 0o600
    assert pages[0] == pages[1] != pages[2]
    (run / "pseudonyms.key").write_bytes(b"short")
    ended = call(*write_all, tmp_path / "3")
    assert (ended.exit_code, "delete it" in ended.output) == (2, True)


def test_every_area_chair_gets_a_file(run, call, tmp_path):
    write_all = ("report", run, "--all-area-chairs", "-o", tmp_path / "pages")
    ended = call(*write_all)
    assert ended.exit_code == 0, ended.output
    assert "earlier results" in call(*write_all).output
    assert call(*write_all, "--force").exit_code == 0
    index = pl.read_csv(tmp_path / "pages" / "index.csv")
    assert index.columns == ["area_chair", "file", "papers"]
    assert index["area_chair"].to_list() == ["Chair 1", "Chair 2", "Chair 3"]
    for chair, file, papers in index.iter_rows():
        assert titles_in(tmp_path / "pages" / file) == papers_of(run, chair)
        assert papers == len(papers_of(run, chair))
    assert len(list((tmp_path / "pages").glob("[!.]*"))) == 4


def test_area_chairs_come_from_a_table(run, call, tmp_path):
    table = tmp_path / "chairs.csv"
    table.write_text(
        "area_chair,paper,email\nZoë Ünal,3,z@example.org\nZoë Ünal,5,\nZOE UNAL,7,y@example.org\n"
        "Lee; Ann,999,a@example.org\n"
    )
    ended = call(
        "report", run, "--all-area-chairs", "--areachairs", table, "-o", tmp_path / "pages"
    )
    assert ended.exit_code == 0, ended.output
    assert "1 papers of chairs.csv are not in the run" in ended.output
    assert titles_in(tmp_path / "pages" / "zoe-unal-2.html") == {3, 5}
    assert titles_in(tmp_path / "pages" / "zoe-unal.html") == {7}
    assert "y@example.org" not in (tmp_path / "pages" / "index.csv").read_text()


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (
            "area_chair,paper,email\n,3,\nAnn,,a@x.org\nAnn,4,b@x.org\n",
            1,
            [
                "line 2: the area chair is missing",
                "line 3: the paper is missing",
                "line 4: Ann has the e-mails a@x.org and b@x.org",
            ],
        ),
        ("who,paper\nAnn,3\n", 1, ["has no column area_chair; found: who, paper"]),
        ("area_chair,paper\nAnn,p3\n", 2, ["no paper of chairs.csv is in the run"]),
    ],
    ids=["with mistakes", "without its columns", "of another conference"],
)
def test_table_that_does_not_help_is_refused(run, call, tmp_path, text, code, words):
    table, target = tmp_path / "chairs.csv", tmp_path / "pages"
    table.write_text(text)
    ended = call("report", run, "--all-area-chairs", "--areachairs", table, "-o", target)
    assert ended.exit_code == code
    assert [one for one in words if one not in ended.output] == []
    assert not target.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--names",), "need --all-area-chairs"),
        (("--no-stars",), "need --all-area-chairs"),
        (("--force", "-o", "."), "is a folder; name a file"),
    ],
    ids=" ".join,
)
def test_wrong_usage_writes_nothing(run, call, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    ended = call("report", run, "-o", "x.html", *words)
    assert ended.exit_code == 2
    assert message in " ".join(ended.output.split())
    assert not (tmp_path / "x.html").exists()


def test_several_area_chairs_of_one_paper():
    papers = pl.DataFrame(
        {
            "paper": [1, 2, 3, 4],
            "area_chair": ["~Ann_Lee1, ~Bo_Li2", "Lee, Ann; Li, Bo", "a@x.org,~Bo_Li2", None],
        }
    )
    found = {chair.name: sorted(chair.papers) for chair in area_chairs_of(papers)}
    assert found == {
        "Lee, Ann": ["2"],
        "Li, Bo": ["2"],
        "a@x.org": ["3"],
        "~Ann_Lee1": ["1"],
        "~Bo_Li2": ["1", "3"],
    }


def test_emails_of_area_chairs_stand_in_a_column_of_their_own(tmp_path):
    file = tmp_path / "reviews.csv"
    rows = ["ann,1,4,Bo,bo@x.org", "ann,2,5,Bo; Cy <cy@y.org>,", "cy,3,2,Cy <cy@y.org>; Di,c@x.org"]
    file.write_text("\n".join(["reviewer,paper,score,area_chair,area_chair_email", *rows]))
    papers = unround.read(file).papers
    assert papers.columns == ["paper", "area_chair", "area_chair_email"]
    found = {chair.name: chair.email for chair in area_chairs_of(papers)}
    assert found == {"Bo": "bo@x.org", "Cy <cy@y.org>": "cy@y.org", "Di": None}
    two = papers.with_columns(
        area_chair=pl.lit("Bo"), area_chair_email=pl.format("{}@x.org", "paper")
    )
    with pytest.raises(TableRefused, match=r"paper 2: Bo has the e-mails 1@x.org and 2@x.org"):
        area_chairs_of(two)


def test_no_file_is_replaced_unasked(run, call, tmp_path):
    file = tmp_path / "x.html"
    file.write_text("mine")
    assert call("report", run, "-o", file).exit_code == 2
    assert file.read_text() == "mine"
    assert call("report", run, "-o", file, "--force").exit_code == 0


def test_failure_leaves_nothing_behind(run, call, tmp_path, built):
    (built / pages.SCRIPT).unlink()
    ended = call("report", run, "-o", tmp_path / "pages" / "x.html")
    assert ended.exit_code == 2
    assert "`make web`" in ended.output
    assert not (tmp_path / "pages").exists()


@pytest.fixture
def two_reviews(built, tmp_path):
    """A command that runs two reviews of a paper without an area chair."""
    (tmp_path / "reviews.csv").write_text("reviewer,paper,score\nann,1,3\nbob,1,4\n")
    return ("run", tmp_path / "reviews.csv", "--lam", 1, "-o", tmp_path / "run")


def test_run_that_names_no_area_chair_asks_for_a_table(two_reviews, call, tmp_path):
    call(*two_reviews)
    for command in (
        ("report", tmp_path / "run", "--all-area-chairs", "-o", tmp_path / "pages"),
        ("audit", "privacy", tmp_path / "run"),
    ):
        ended = call(*command)
        assert ended.exit_code == 2
        assert "names no area chairs; give a table of area_chair and paper with --areachairs" in (
            ended.output.replace("\n", " ")
        )


@pytest.mark.parametrize("reason", ["`make web`", "too large"])
def test_run_goes_on_without_its_page(two_reviews, built, call, tmp_path, monkeypatch, reason):
    if reason == "too large":
        monkeypatch.setattr(pages, "MOST_REVIEWS", 1)
    else:
        (built / pages.SCRIPT).unlink()
    ended = call(*two_reviews)
    assert ended.exit_code == 0
    assert "report.html is left out" in ended.output
    assert reason in ended.output
    assert (tmp_path / "run" / "explanation.csv").is_file()
    assert not (tmp_path / "run" / "report.html").exists()
