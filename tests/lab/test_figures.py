"""Figures: everything in its place, nothing on top of another, the same bytes again."""

from itertools import combinations

import pytest
from matplotlib import style
from matplotlib.text import Text

from tests.lab.conftest import PARTS, plan_of
from unround.lab.figures import as_bytes, draw, save
from unround.lab.figures.panels import _value
from unround.lab.figures.style import _KNOWN, _OTHERS, look_of
from unround.lab.plan import our_plan

pytestmark = pytest.mark.slow

EVERY = [(part, figure) for part in PARTS for figure in plan_of(part).figures]
every_figure = pytest.mark.parametrize(
    ("part", "figure"), EVERY, ids=[figure.name for _, figure in EVERY]
)


def tick_labels(side):
    """The labels of one side of a panel; ticks beyond its ends exist but are not drawn."""
    low, high = sorted(side.get_view_interval())
    ticks = [*side.get_major_ticks(), *side.get_minor_ticks()]
    return [tick.label1 for tick in ticks if low <= tick.get_loc() <= high]


def texts_of(drawing):
    """Every text that is drawn, with its box in pixels."""
    drawing.draw_without_rendering()  # labels go where ticks leave room
    renderer = drawing.canvas.get_renderer()
    texts = [text for legend in drawing.legends for text in legend.get_texts()]
    for axis in drawing.axes:
        title = axis.get_title(loc="left")
        texts += [text for text in axis.findobj(Text) if text.get_text() == title]
        texts += [axis.xaxis.label, axis.yaxis.label, *tick_labels(axis.xaxis)]
        texts += tick_labels(axis.yaxis)
    seen = [text for text in texts if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in seen]


def assert_readable(drawing):
    texts, page = texts_of(drawing), drawing.bbox
    for text, box in texts:
        assert box.x0 >= page.x0 - 1, f"{text!r} leaves the page on the left"
        assert box.x1 <= page.x1 + 1, f"{text!r} leaves the page on the right"
        assert box.y0 >= page.y0 - 1, f"{text!r} leaves the page below"
        assert box.y1 <= page.y1 + 1, f"{text!r} leaves the page above"
    for (one, first), (other, second) in combinations(texts, 2):
        overlap = first.intersection(first, second)
        if overlap is not None and min(overlap.width, overlap.height) > 1.0:
            pytest.fail(f"{one!r} lies on {other!r}")


@every_figure
def test_figures_can_be_read_and_axes_are_named(part, figure, small_results):
    drawing = draw(figure, small_results(part))
    assert_readable(drawing)
    titles = [axis.get_title(loc="left") for axis in drawing.axes]
    assert titles == [panel.title for panel in figure.panels]
    for axis, panel in zip(drawing.axes, figure.panels, strict=True):
        assert axis.get_xlabel() or panel.kind == "against"  # a table: its columns have names
        assert axis.get_ylabel() or panel.kind in ("losses", "against", "time")


def test_the_papers_figures_have_the_papers_panels(small_results):
    shapes = {f.name: (len(f.panels), f.columns) for f in our_plan("paper").figures}
    assert shapes == {
        "figure-2": (3, 3),
        "figure-3": (2, 2),
        "figure-4": (6, 3),
        "figure-5": (1, 1),
        "figure-6": (6, 2),
        "figure-7": (2, 2),
        "figure-8": (2, 2),
    }
    figures = {f.name: f for f in our_plan("paper").figures}
    drawing = draw(figures["figure-2"], small_results("paper"))
    legend = [text.get_text() for text in drawing.legends[0].get_texts()]
    assert legend == ["Quantized scores", "BRE-adjusted scores", "Proposed"]
    assert [tick.get_text() for tick in drawing.axes[0].get_xticklabels()] == ["0.1", "0.5", "1"]


def test_curves_mark_the_selected_and_the_best_lambda(small_results):
    results = small_results("paper")
    figure = next(f for f in our_plan("paper").figures if f.name == "figure-4")
    drawing = draw(figure, results)
    for axis, panel in zip(drawing.axes, figure.panels, strict=True):
        lam, error = results.curve(panel, panel.curve)
        by_validation, validation = results.curve(panel, "validation")
        line, circle, *diamond = axis.lines
        assert (line.get_xdata() == lam).all()
        assert circle.get_xdata()[0] == by_validation[validation.argmin()]
        assert circle.get_ydata()[0] == error[lam == circle.get_xdata()[0]][0]
        assert bool(diamond) == (panel.curve == "original")
        if diamond:
            assert diamond[0].get_ydata()[0] == error.min()
        assert axis.get_yscale() == ("log" if "ICLR" in panel.setting else "linear")
        assert axis.get_xscale() == "log"


def test_histograms_count_every_trial(small_results):
    figure = next(f for f in our_plan("paper").figures if f.name == "figure-6")
    drawing = draw(figure, small_results("paper"))
    assert [sum(bar.get_height() for bar in axis.patches) for axis in drawing.axes] == [2] * 6


def test_a_figure_is_three_files_and_the_same_bytes_whatever_the_user_set(tmp_path, small_results):
    results, figure = small_results("paper"), our_plan("paper").figures[0]
    save(draw(figure, results), "f", tmp_path)
    with style.context("dark_background"):
        again = draw(figure, results)
    kinds = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<?xml"}
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"f.{kind}" for kind in kinds]
    for kind, start in kinds.items():
        saved = (tmp_path / f"f.{kind}").read_bytes()
        assert saved.startswith(start)
        assert saved == as_bytes(again, kind), kind


def test_no_two_methods_of_a_figure_look_alike():
    """Tables name their methods, and colour tells how far from ours they are."""
    for part in PARTS:
        plan = plan_of(part)
        panels = [panel for figure in plan.figures for panel in figure.panels]
        drawn = {panel.study for panel in panels if panel.kind not in ("against", "time")}
        for study in (study for study in plan.studies if study.name in drawn):
            shown = [name for name in study.methods if name != "oracle"]
            looks = [look_of(name, shown) for name in shown]
            assert len({look.colour for look in looks}) == len(shown)
            assert len({look.marker for look in looks}) == len(shown)


def test_unknown_methods_get_looks_of_their_own():
    mine = [f"mine {number}" for number in range(len(_OTHERS))]
    assert len({look_of(name, mine) for name in mine}) == len(mine)
    assert not set(mine) & set(_KNOWN)


def test_ticks_show_the_value_alone():
    labels = ("σ = 0.5", "scale 1 .. 5", "P = 20,000")
    assert [_value(label) for label in labels] == ["0.5", "scale 1 .. 5", "20k"]
