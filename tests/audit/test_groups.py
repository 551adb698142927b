"""How groups fare: figures against brute force, the test against enumeration, warnings where they belong."""

import json
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unround
from unround.audit.groups.audit import audit_groups
from unround.audit.groups.membership import UNSTATED, membership
from unround.audit.groups.permutation import adjusted, compare_groups
from unround.errors import UsageError
from unround.reviews.reader import read
from unround.runs import folder as run_folder
from unround.runs.folder import read_run
from unround.settings import Accept


def quiet(*_: object) -> None:
    pass


def audited(folder: Path, by: str, **options):
    options.setdefault("accept", Accept.read("25%"))
    return audit_groups(unround.load(folder), by, progress=quiet, **options)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """24 papers in three tracks; some reviewers rank nothing."""
    made = unround.simulate.thurstone(papers=24, papers_per_reviewer=4, noise=1.2, seed=8)
    papers = made.reviews["paper"].unique().sort()
    tracks = pl.DataFrame({"paper": papers, "track": ["a", "b", "a", "c"] * 6})
    reviews = made.reviews.join(tracks, on="paper", how="left", maintain_order="left")
    kept = pl.col("reviewer").hash(seed=1) % 3 > 0
    rankings = made.rankings.filter(kept)
    result = unround.dequantize(reviews, rankings, lam=12.0, scale=made.scale)
    folder = tmp_path_factory.mktemp("small") / "run"
    result.save(folder)
    return folder, result, reviews, rankings


@pytest.fixture(scope="module")
def audit(small):
    """The audit of the small conference by track."""
    return audited(small[0], "track")


def test_the_folder_is_read_once(small, monkeypatch):
    read = []
    checked = run_folder.read_checked
    monkeypatch.setattr(
        run_folder, "read_checked", lambda *given: read.append(given) or checked(*given)
    )
    audited(small[0], "track")
    assert len(read) == 1


class TestFigures:
    def test_reviews_ties_moves_and_rankings(self, small, audit):
        _, result, reviews, rankings = small
        assert (audit.unit, [found.group for found in audit.groups]) == ("paper", ["a", "b", "c"])
        scores = result.scores.with_columns(reviews["track"])
        ranked = set(rankings.select("reviewer", "paper").iter_rows())
        for found in audit.groups:
            own = scores.filter(track=found.group).rows(named=True)
            assert found.reviews == len(own)
            assert found.papers == len({row["paper"] for row in own})
            assert found.reviewers == len({row["reviewer"] for row in own})
            said = [(row["reviewer"], row["paper"]) in ranked for row in own]
            assert found.ranked == pytest.approx(np.mean(said))
            assert 0 < found.ranked < 1
            for column, ties in (("score", found.ties_before), ("dequantized", found.ties_after)):
                values = [round(row[column], 4) for row in own]
                pairs = [one == other for one, other in combinations(values, 2)]
                assert ties == pytest.approx(np.mean(pairs))
            moves = [row["dequantized"] - row["score"] for row in own]
            assert found.moved == pytest.approx(np.mean(np.abs(moves)))
            assert found.lifted == pytest.approx(np.mean(moves))

    def test_places_and_the_line(self, small):
        folder, result, reviews, _ = small
        audit = audited(folder, "track", accept=Accept.read("7"))
        papers = result.papers.rows(named=True)

        def place(paper, column):
            mean = round(paper[column], 4)
            above = sum(round(other[column], 4) > mean for other in papers)
            tied = sum(round(other[column], 4) == mean for other in papers)
            return above + (tied + 1) / 2, min(max((7 - above) / tied, 0.0), 1.0)

        track = dict(reviews.select("paper", "track").iter_rows())
        for found in audit.groups:
            own = [paper for paper in papers if track[paper["paper"]] == found.group]
            before, after = (
                [place(paper, column) for paper in own]
                for column in ("score_mean", "dequantized_mean")
            )
            up = [old[0] - new[0] for old, new in zip(before, after, strict=True)]
            assert found.places_up == pytest.approx(np.mean(up))
            assert found.places_moved == pytest.approx(np.mean(np.abs(up)))
            assert found.places_changed == pytest.approx(np.mean([change != 0 for change in up]))
            assert found.accepted_before == pytest.approx(np.mean([old[1] for old in before]))
            assert found.accepted_after == pytest.approx(np.mean([new[1] for new in after]))
        accepted = sum(found.accepted_after * found.papers for found in audit.groups)
        assert accepted == pytest.approx(7)

    def test_validation_within_groups(self, small, audit):
        reviews = small[2]
        coarse = reviews.with_columns(score=(pl.col("score") / 2).ceil().cast(pl.Int64))
        implied = reviews.select("reviewer", "paper", rank=100 - pl.col("score"))
        top = int(reviews["score"].max())
        levels = list(range((top + 1) // 2 + 1))
        restored = unround.dequantize(coarse, implied, lam=12.0, scale=levels)
        for found in audit.groups:
            own = (reviews["track"] == found.group).to_numpy()
            truth = reviews["score"].to_numpy()[own]
            new = restored.scores["dequantized"].to_numpy()[own]
            error = unround.metrics.kendall_error(truth, new)
            assert found.validation.error == pytest.approx(error, abs=1e-9)
            assert found.validation.coarse == pytest.approx(
                unround.metrics.kendall_error(truth, coarse["score"].to_numpy()[own])
            )
            assert found.validation.low <= error <= found.validation.high


class TestPermutation:
    values = np.array([0.3, 1.1, -0.4, 2.0, 0.9, 1.7])
    group = np.array([0, 0, 1, 1, 1, 2])

    def statistics(self, group):
        means = [self.values[group == number].mean() for number in range(3)]
        least = [self.values[group == number].min() for number in range(3)]
        return np.array([means, least])

    def test_all_deals_by_hand(self):
        drawn = np.array([self.statistics(np.array(deal)) for deal in permutations(self.group)])
        observed = self.statistics(self.group)
        found = adjusted(observed, drawn)
        every = np.array([observed, *drawn])
        standard = (every - every.mean(axis=0)) / every.std(axis=0)
        largest = standard.max(axis=(1, 2))
        for place, own in np.ndenumerate(standard[0]):
            assert found[place] == pytest.approx(np.mean(largest >= own - 1e-9))

    def test_false_warnings_are_as_rare_as_promised(self):
        random = np.random.default_rng(3)
        false, trials = 0, 300
        for _ in range(trials):
            values, group = random.normal(size=40), random.integers(0, 8, 40)

            def means(group, values=values):
                sums = np.bincount(group, weights=values, minlength=8)
                return (sums / np.maximum(np.bincount(group, minlength=8), 1))[None]

            found = compare_groups(means, group, 199, random, quiet)
            false += bool((found <= 0.05).any())
        assert false / trials < 0.085  # 5%, and three standard errors of 300 trials

    def test_what_is_unknown_or_never_varies_warns_of_nothing(self):
        observed = np.array([[5.0, np.nan, 1.0]])
        drawn = np.concatenate([np.zeros((99, 1, 1)), np.ones((99, 1, 2))], axis=2)
        assert adjusted(observed, drawn)[0].tolist() == [0.01, 1.0, 1.0]


def conference_with_a_wronged_track(seed, *, noise=(0.5, 0.5), against=0.0):
    """Two tracks by even and odd numbers; in ties reviewers rank track b below with some probability."""
    random = np.random.default_rng(seed)
    papers = 240
    quality = random.uniform(2, 8, papers)
    rows = []
    for _ in range(4):
        order = random.permutation(papers)
        for group in order.reshape(-1, 4):
            sd = np.where(group % 2 == 0, *noise)
            seen = quality[group] + random.normal(0, 1, 4) * sd
            drop = (group % 2 == 1) & (random.random(4) < against)
            score = np.clip(np.rint(seen), 1, 9).astype(int)
            key = score + np.where(drop, -0.4, 0.0) + 0.3 * (seen - np.rint(seen))
            rank = (-key).argsort().argsort() + 1
            rows += [
                (int(p), int(s), int(k), "ab"[p % 2])
                for p, s, k in zip(group, score, rank, strict=True)
            ]
    columns = ["paper", "score", "rank", "track"]
    table = pl.DataFrame(rows, schema=columns, orient="row").with_columns(
        reviewer=pl.int_range(pl.len()) // 4
    )
    return table.drop("rank"), table.select("reviewer", "paper", "rank")


def audit_of_tracks(tmp_path, conference, lam):
    result = unround.dequantize(*conference, conflicts="scores", lam=lam)
    return audited(result.save(tmp_path / "run"), "track")


@pytest.mark.slow
class TestWarnings:
    def test_a_track_that_reviewers_rank_down_loses_places(self, tmp_path):
        conference = conference_with_a_wronged_track(1, against=1.0)
        audit = audit_of_tracks(tmp_path, conference, 50.0)
        told = {
            found.group: [warning.statistic for warning in found.warnings] for found in audit.groups
        }
        assert "places" in told["b"]
        assert told["a"] == []
        assert audit.groups[1].places_up < 0 < audit.groups[0].places_up

    def test_equal_tracks_are_not_warned_of(self, tmp_path):
        conference = conference_with_a_wronged_track(2)
        audit = audit_of_tracks(tmp_path, conference, 50.0)
        assert [found.warnings for found in audit.groups] == [(), ()]

    def test_a_track_without_agreement_is_restored_worse(self, tmp_path):
        conference = conference_with_a_wronged_track(3, noise=(0.05, 2.5))
        audit = audit_of_tracks(tmp_path, conference, 12.0)
        even, odd = audit.groups
        assert "error" in [warning.statistic for warning in odd.warnings]
        assert "error" not in [warning.statistic for warning in even.warnings]


class TestMembership:
    @pytest.fixture
    def known(self, small):
        folder, _, reviews, _ = small
        reviews = read(reviews.select("reviewer", "paper", "score"), None, None, None)[1]
        return read_run(folder).tables, reviews

    def test_reviewers_and_reviews_as_units(self, small, known, tmp_path):
        run, reviews = known
        folder = small[0]
        people = tmp_path / "people.csv"
        names = [str(label) for label in reviews.reviewers.labels]
        land = ["CH" if number % 2 else "US" for number in range(len(names))]
        pl.DataFrame({"reviewer": names, "land": land}).write_csv(people)
        found = membership(run, reviews, "land", people)
        assert found.unit == "reviewer"
        audit = audited(folder, "land", table=people)
        assert [each.group for each in audit.groups] == ["CH", "US"]
        assert all(each.places_up is None and each.accepted_after is None for each in audit.groups)
        both = tmp_path / "reviews.csv"
        rows = small[2].select("reviewer", "paper").with_row_index("n")
        rows.with_columns(
            language=pl.when(pl.col("n") % 3 == 0).then(pl.lit("de")).otherwise(pl.lit("en"))
        ).write_csv(both)
        assert membership(run, reviews, "language", both).unit == "review"

    def test_what_is_not_stated_is_a_group(self, known, tmp_path):
        run, reviews = known
        some = tmp_path / "some.csv"
        some.write_text(f"paper,kind\n{reviews.papers.labels[0]},demo\n")
        assert membership(run, reviews, "kind", some).labels == (UNSTATED, "demo")

    @pytest.mark.parametrize(
        ("text", "by", "message"),
        [
            ("paper,kind\n1,x\n1,y\n", "kind", "paper 1 is in two groups: x and y"),
            ("paper,kind\n1,x\n", "sort", "no column 'sort'; found: paper, kind"),
            ("title,kind\nA,x\n", "kind", "no column paper and no column reviewer"),
            ("paper,kind\nzz,x\n", "kind", "says nothing about any review"),
        ],
    )
    def test_tables_that_do_not_help(self, known, tmp_path, text, by, message):
        table = tmp_path / "table.csv"
        table.write_text(text)
        with pytest.raises(UsageError, match=message):
            membership(*known, by, table)

    def test_an_unknown_column_is_refused_with_those_there_are(self, known):
        with pytest.raises(UsageError, match=r"no column 'area'; it has track\. .* with table"):
            membership(*known, "area")


class TestCommand:
    @pytest.mark.slow
    def test_as_json(self, call, small, audit):
        """What is on the screen is in docs/trust.md."""
        words = ("audit", "groups", small[0], "--by", "track", "--json")
        assert json.loads(call(*words).stdout) == json.loads(json.dumps(audit.record()))

    @pytest.mark.slow
    def test_a_narrow_terminal_loses_no_name(self, call, small, monkeypatch):
        monkeypatch.setenv("COLUMNS", "40")
        printed = call("audit", "groups", small[0], "--by", "track").stdout.splitlines()
        rows = [line.split()[0] for line in printed if line.strip()]
        assert [rows.count(name) for name in "abc"] == [2, 2, 2]
