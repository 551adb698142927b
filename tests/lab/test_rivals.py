"""What studies of rivals measure, when methods give up, and folders of studies."""

import re
import time
from itertools import count

import numpy as np
import pytest
from studies.rivals.recovered import recovered

from tests.lab.conftest import ROOT, STUDIES
from unround.errors import UsageError
from unround.lab.catalogue.conferences import coarsened, thurstone, unruly
from unround.lab.catalogue.metrics import precision
from unround.lab.plan import plan_for
from unround.lab.registry import file_digest, find_method, find_metric, load_file, method
from unround.lab.study import Study
from unround.lab.trials.case import Case, by_paper
from unround.lab.trials.trial import REFUSED, OutOfTime, Trial, run_trial, stopping_after
from unround.metrics import kendall_error, tie_share
from unround.simulate import thurstone as draw_thurstone

FOLDER = STUDIES / "rivals"


class TestPrecision:
    def test_share_of_accepted_papers_that_belong_there(self):
        quality = np.array([8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
        assert precision(quality, quality, 2) == 1.0
        assert precision(quality, np.array([8.0, 1, 7, 2, 3, 4, 5, 6]), 2) == 0.5

    def test_ties_at_the_line_share_the_room(self):
        quality = np.arange(8.0)
        assert precision(quality, np.zeros(8), 2) == pytest.approx(2 / 8)
        assert precision(quality, np.array([0.0, 0, 0, 0, 0, 5, 5, 9]), 2) == pytest.approx(
            (1 + 0.5 * 1) / 2
        )

    def test_papers_as_good_as_the_last_of_the_best_belong_there(self):
        assert precision(np.array([5.0, 5, 5, 1]), np.array([1.0, 2, 3, 0]), 2) == 1.0


class TestData:
    def test_qualities_of_the_papers_trials_are_what_noise_is_added_to(self):
        sample = thurstone(3, papers=20, noise=0.1)
        case = Case(sample)
        assert np.abs(by_paper(case.conference, case.truth) - sample.quality).max() < 0.3
        again = draw_thurstone(20, noise=0.1, seed=3, draw="published")
        assert np.array_equal(sample.conference.truth, again.truth)

    def test_qualities_of_real_scores_are_their_means(self):
        scores = np.array([[7.0, 8, 3], [5, 5, 6], [1, 2, 2]])
        assert coarsened(0, scores=scores, papers_per_reviewer=3).quality == pytest.approx(
            scores.mean(axis=1)
        )

    def test_of_top_k_rankings_the_rest_share_a_rank(self):
        ranks = unruly(0, papers=12, top=2).conference.rankings
        assert sorted(ranks["rank"].unique()) == [1, 2, 3]
        full = unruly(0, papers=12).conference.rankings
        assert ranks["rank"].to_list() == [min(rank, 3) for rank in full["rank"]]

    def test_own_tables_keep_their_rankings_and_lose_levels(self, tmp_path):
        given = unruly(2, papers=12, swapped=0.3).conference
        paths = {name: str(tmp_path / f"{name}.csv") for name in ("reviews", "rankings")}
        given.reviews.write_csv(paths["reviews"])
        given.rankings.write_csv(paths["rankings"])
        sample = recovered(0, **paths, scale=list(range(11)), levels=4)
        case = Case(sample, conflicts="scores")
        assert sorted(sample.conference.truth) == sorted(given.reviews["score"])
        assert set(case.given) <= {1.0, 2.0, 3.0, 4.0}
        assert sample.conference.rankings.height == given.rankings.height
        assert by_paper(case.conference, case.truth) == pytest.approx(sample.quality)
        study = Study("s", "t", "recovered", ["quantized"], ["papers"], fixed=paths)
        (point,) = study.points()
        before = Trial(study, point, 0).key("")
        given.rankings.head(3).write_csv(paths["rankings"])
        assert Trial(study, point, 0).key("") != before

    def test_groups_of_papers_are_measured_one_by_one(self, tmp_path):
        given = unruly(2, papers=20).conference
        reviews = str(tmp_path / "reviews.csv")
        given.reviews.write_csv(reviews)
        samples = [recovered(trial, reviews=reviews, groups=5) for trial in range(5)]
        assert np.array_equal(sum(sample.counted.astype(int) for sample in samples), np.ones(20))
        metrics = {
            name: find_metric(name) for name in ("kendall", "papers", "missed", "ties-papers")
        }
        for sample in samples:
            case = Case(sample, conflicts="scores")
            estimate = find_method("quantized").estimate(case)
            counted, rows = sample.counted, sample.counted_reviews()
            means = by_paper(case.conference, case.given)[counted]
            by_hand = {
                "kendall": kendall_error(case.truth[rows], case.given[rows]),
                "papers": kendall_error(sample.quality[counted], means),
                "missed": 100 - 100 * precision(sample.quality[counted], means, 1),
                "ties-papers": 100 * tie_share(means),
            }
            for name, metric in metrics.items():
                assert metric.value(case, estimate) == pytest.approx(by_hand[name])
        with pytest.raises(UsageError, match="20 papers are too few for 6 groups"):
            recovered(0, reviews=reviews, groups=6)

    @pytest.mark.parametrize(
        ("trial", "reviews", "message"),
        [(0, "", "needs reviews"), (1, "x.csv", "write trials = 1 in")],
    )
    def test_own_tables_are_named_and_drawn_once(self, trial, reviews, message):
        with pytest.raises(UsageError, match=message):
            recovered(trial, reviews=reviews)


@method("never-ends")
def never_ends(case):
    while case.given.size > 12:
        time.process_time()
    return case.given


class TestGivingUp:
    def test_time_is_up_after_so_much_process_time(self):
        start = time.process_time()
        with pytest.raises(OutOfTime), stopping_after(0.05):
            all(time.process_time() < start + 20 for _ in count())
        assert 0.05 <= time.process_time() - start < 5

    def test_nothing_is_stopped_in_time_or_without_a_limit(self):
        for limit in (20.0, None):
            with stopping_after(limit):
                assert sum(range(10)) == 45

    def test_methods_that_give_up_are_counted_and_the_others_measured(self):
        study = Study(
            "rivals-x", "t", "unruly", ["quantized", "never-ends"], ["papers"],
            fixed={"papers": 12}, limit=0.2,
        )  # fmt: skip
        rows = run_trial(Trial(study, study.points()[0], 0), None).rows
        assert [(row.method, row.metric) for row in rows] == [
            ("quantized", "papers"), ("never-ends", REFUSED),
        ]  # fmt: skip

    def test_times_are_of_one_method_alone(self):
        study = Study(
            "rivals-y", "t", "unruly", ["quantized", "never-ends"], [],
            fixed={"papers": 40, "reviews_per_paper": 1}, limit=0.2,
        )  # fmt: skip
        rows = run_trial(Trial(study, study.points()[0], 0), None).rows
        assert [(row.method, row.metric) for row in rows] == [
            ("quantized", "seconds"), ("never-ends", REFUSED),
        ]  # fmt: skip
        assert 0.0 < rows[0].value < 0.2


class TestFolder:
    def test_a_folder_stands_for_its_studies(self):
        names = [study.name for study in plan_for([str(FOLDER)]).studies]
        assert names == ["rivals-iclr", "rivals-papers", "rivals-reviews", "rivals-time"]
        alone = plan_for([str(FOLDER / "time.toml")])
        assert [study.name for study in alone.studies] == ["rivals-time"]
        assert alone.sources == (FOLDER / "__init__.py",)

    def test_a_folder_without_studies_is_refused(self, tmp_path):
        with pytest.raises(UsageError, match="holds no study: no file ends in"):
            plan_for([str(tmp_path)])

    def test_trials_are_new_when_a_module_of_the_package_changes(self, tmp_path):
        (tmp_path / "__init__.py").write_text("from . import part\n")
        (tmp_path / "part.py").write_text("VALUE = 1\n")
        before = file_digest(tmp_path / "__init__.py")
        assert load_file(tmp_path / "__init__.py").part.VALUE == 1
        (tmp_path / "part.py").write_text("VALUE = 20\n")
        assert file_digest(tmp_path / "__init__.py") != before
        assert load_file(tmp_path / "__init__.py").part.VALUE == 20


@pytest.mark.slow
def test_the_page_shows_how_to_try_it_on_ones_own_tables(call, tmp_path, monkeypatch):
    page = (ROOT / "docs" / "rivals.md").read_text("utf-8")
    (study,) = re.findall(r"```\{code-block\} toml\n:caption: ours.toml\n\n(.*?)```", page, re.S)
    assert "unround reproduce ours.toml -o ours\n" in page
    monkeypatch.chdir(tmp_path)
    given = unruly(4, papers=40, swapped=0.1).conference
    given.reviews.write_csv("reviews.csv")
    given.rankings.write_csv("rankings.csv")
    (tmp_path / "ours.toml").write_text(study, "utf-8")
    (tmp_path / "studies").symlink_to(ROOT / "studies")  # as in a clone of the repository
    done = call("reproduce", "ours.toml", "--jobs", 1, "-o", "ours")
    assert done.exit_code == 0, done.output
    report = (tmp_path / "ours" / "report.html").read_text("utf-8")
    assert "of 7 comparisons with the proposed method" in report
