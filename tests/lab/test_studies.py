"""Studies as data: what they mean, what they refuse, and small versions of every one of ours."""

import math

import polars as pl
import pytest

from tests.lab.conftest import PARTS, plan_of, small_plan
from unround.errors import UsageError
from unround.lab import Study
from unround.lab.plan import Panel, parse, plan_for, read_file
from unround.lab.results import Summary
from unround.lab.trials.trial import BINS, CURVE


def study(**changes):
    given = {"name": "s", "title": "t", "data": "thurstone", "methods": ["quantized"]}
    return Study(**{**given, **changes})


class TestStudy:
    def test_sweep_makes_a_setting_of_each_value(self):
        points = study(sweep={"noise": [0.1, 1.0]}, symbol="σ", fixed={"papers": 20}).points()
        assert [point.label for point in points] == ["σ = 0.1", "σ = 1"]
        assert [point.parameters["noise"] for point in points] == [0.1, 1.0]
        assert {point.parameters["papers"] for point in points} == {20}

    def test_parameters_not_named_are_at_their_defaults(self):
        (point,) = study().points()
        assert point.parameters["papers"] == 60
        assert (point.epsilon, point.conflicts) == (0.05, "refuse")

    def test_settings_may_name_other_data(self):
        settings = [{"label": "a"}, {"label": "b", "data": "coarsened", "epsilon": 0.1}]
        plain, real = study(settings=settings).points()
        assert (plain.needs_scores, real.needs_scores) == (False, True)
        assert real.epsilon == 0.1

    def test_the_same_draws_have_the_same_identity_under_any_name(self):
        one = study(sweep={"noise": [0.5]}).points()[0]
        two = study(sweep={"papers_per_reviewer": [4]}).points()[0]
        assert one.identity == two.identity
        assert one.identity != study(sweep={"noise": [0.6]}).points()[0].identity

    def test_neither_the_order_of_parameters_nor_the_title_matters(self):
        one = study(fixed={"papers": 8, "noise": 1.0})
        two = study(fixed={"noise": 1.0, "papers": 8}, title="other")
        assert one.points()[0].identity == two.points()[0].identity

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"sweep": {"noise": [1], "papers": [2]}}, "sweep one parameter"),
            ({"curves": ["none"]}, "'none' is not one of validation, original, "),
            ({"intervals": ["none"]}, "'none' is not one of of-posterior, of-scores, "),
            ({"methods": ["none"]}, "there is no method 'none'; there are: "),
            ({"metrics": ["none"]}, "there is no metric 'none'; there are: "),
            ({"data": "none"}, "there is no data set 'none'; there are: "),
            ({"fixed": {"none": 1}}, "has no parameter 'none'; it has: papers, "),
            ({"settings": [{"label": "a"}, {"label": "a"}]}, "the same label"),
        ],
    )
    def test_nonsense_is_refused(self, changes, message):
        with pytest.raises(UsageError, match=message):
            study(**changes).points()


class TestPlan:
    def test_all_is_the_papers(self):
        names = [s.name for s in plan_for(["all"]).studies]
        assert names == [
            "noise", "load", "reviews", "epsilon", "lambdas", "iclr", "iclr-epsilon", "curves",
        ]  # fmt: skip
        assert plan_for([]) == plan_for(["all"])

    def test_one_study_brings_its_panels(self):
        plan = plan_for(["noise"])
        assert [figure.name for figure in plan.figures] == ["figure-2", "figure-7"]
        assert {panel.study for figure in plan.figures for panel in figure.panels} == {"noise"}

    def test_studies_asked_for_one_by_one_share_a_figure(self):
        plan = plan_for(["noise", "load", "noise"])
        assert [s.name for s in plan.studies] == ["noise", "load"]
        assert len(plan.figures[0].panels) == 3

    def test_unknown_names_are_refused_with_those_there_are(self):
        with pytest.raises(UsageError, match="there is no study 'nois'; there are: noise, load"):
            plan_for(["nois"])

    @pytest.mark.parametrize("part", PARTS)
    def test_every_panel_names_what_is_there(self, part):
        plan = plan_of(part)
        labels = {s.name: {point.label for point in s.points()} for s in plan.studies}
        for panel in (panel for figure in plan.figures for panel in figure.panels):
            assert panel.study in labels
            assert not panel.setting or panel.setting in labels[panel.study]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "[[studies]]\nname = 'a'",
                "unknown part 'studies'; parts are defaults, study and figure",
            ),
            ("[[study]]\nname = 'a'", "study is incomplete: .*'title' and 'data'"),
            ("[[study]]\nmethod = 'a'", "a study has no 'method'; it has: name, title, data"),
            ("", "describes no"),
            ("[[study", "is not TOML"),
        ],
    )
    def test_nonsense_is_refused(self, text, message, tmp_path):
        path = tmp_path / "mine.toml"
        path.write_text(text)
        with pytest.raises(UsageError, match=message):
            read_file(path)

    def test_missing_files_are_refused(self, tmp_path):
        for name in ("none.toml", "none.py"):
            with pytest.raises(UsageError, match="cannot be read: No such file"):
                read_file(tmp_path / name)

    def test_python_files_must_list_studies(self, tmp_path):
        path = tmp_path / "mine.py"
        path.write_text("STUDIES = 3\n")
        with pytest.raises((UsageError, TypeError)):
            read_file(path)
        path.write_text("studies = []\n")
        with pytest.raises(UsageError, match="must list its studies"):
            read_file(path)

    def test_two_studies_of_one_name_are_refused(self):
        one, two = (
            parse({"study": [{"name": "a", "title": t, "data": "thurstone"}]}, "x") for t in "tu"
        )
        with pytest.raises(UsageError, match="two studies are called 'a'"):
            one + two

    def test_a_study_without_a_figure_gets_one(self):
        plan = parse(
            {"study": [{"name": "a", "title": "t", "data": "thurstone", "methods": ["quantized"]}]},
            "x",
        ).with_all_figures()
        assert plan.figures[0].panels == (
            Panel("errors", "a", title="Kendall-tau error", metric="kendall"),
        )


EVERY = [(part, study.name) for part in PARTS for study in plan_of(part).studies]


WITH_LAM = {"proposed", "rankings-rule", "auto+", "calibrated", "both-alignments", "smoothed",
            "both-smoothed", "fine-grid", "simulate-plain", "oracle",
            "advised", "without-rankings"}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("part", "name"), EVERY, ids=[name for _, name in EVERY])
def test_every_study_gives_every_number(part, name, small_results):
    results = small_results(part)
    of_study = results.table.filter(pl.col("study") == name)
    small = next(s for s in small_plan(part).studies if s.name == name)
    trials = small.trials or 2
    assert of_study["setting"].unique(maintain_order=True).to_list() == [
        point.label for point in small.points()
    ]
    numbers = of_study.filter(~pl.col("method").str.starts_with(CURVE))
    per_trial = len(small.methods) * max(len(small.metrics), 1) + 2 * len(small.intervals)
    assert numbers.height == len(small.points()) * trials * per_trial
    curves = of_study.filter(pl.col("method").str.starts_with(CURVE))
    sizes = {"reliability": 3 * BINS, "ranks": BINS}
    points = sum(sizes.get(curve, 40) for curve in small.curves)
    assert curves.height == len(small.points()) * trials * points
    assert of_study["value"].is_finite().all()
    errors = numbers.filter(pl.col("metric").is_in(["kendall", "papers"]))["value"]
    assert errors.is_between(0.0, 0.6).all()
    assert of_study["seed"].to_list() == of_study["trial"].to_list()
    assert of_study["versions"].str.contains(r"^unround \S+, python ").all()
    with_lam = set(numbers.filter(pl.col("lam").is_not_null())["method"])
    assert with_lam == (WITH_LAM & set(small.methods) if small.metrics else set())


def test_quantized_scores_do_not_depend_on_epsilon_or_load(small_results):
    table = small_results("paper").table
    values = table.filter((pl.col("method") == "quantized") & (pl.col("metric") == "kendall"))
    for name in ("epsilon", "iclr-epsilon"):
        part = values.filter(pl.col("study") == name)
        assert part.group_by("trial").agg(pl.col("value").n_unique())["value"].to_list() == [1, 1]


@pytest.mark.slow
def test_all_methods_of_a_trial_see_the_same_data(small_results):
    table = small_results("beyond").table.filter(
        (pl.col("study") == "contradictions") & (pl.col("setting") == "p = 0")
    )
    kendall = table.filter(pl.col("metric") == "kendall")
    both = kendall.pivot("method", index="trial", values="value")
    # Without contradictions both policies solve the same program.
    assert both["proposed"].to_list() == both["rankings-rule"].to_list()


def test_summary_gives_means_and_standard_errors():
    table = pl.DataFrame(
        {
            "study": "a", "setting": "b", "parameters": "{}", "method": "m", "metric": "k",
            "trial": [0, 1, 2], "value": [1.0, 2.0, 6.0], "lam": [1.0, None, 9.0],
        }
    )  # fmt: skip
    mean = Summary(table).find("a", "b", "m", "k")
    assert (mean.mean, mean.trials, mean.median_lam) == (3.0, 3, 5.0)
    assert mean.error == pytest.approx(math.sqrt(7.0) / math.sqrt(3.0))
    single = Summary(table.head(1)).find("a", "b", "m", "k")
    assert math.isnan(single.error)
