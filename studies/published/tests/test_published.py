"""Made-up files in the layouts of the published data, read and compared."""

import numpy as np
import polars as pl
import pytest
import xlsxwriter

from studies.published import (
    DATA_SETS,
    ORDERS,
    SCORES,
    convert,
    read_aibs,
    read_sushi,
    read_zurich,
)
from unround import compare, read
from unround.formats.model import ImportRefused

PLACES = (
    "First Place",
    "Second Place",
    "Third Place",
    "Fourth Place",
    "Fifth Place",
    "Sixth Place",
)


def rows(table: pl.DataFrame) -> list[tuple]:
    return table.rows()


def sushi_folder(folder, people=3, kinds=12, each=4):
    random = np.random.default_rng(2)
    scores, orders = [], [f"{kinds} 1"]
    for _ in range(people):
        liked = random.permutation(kinds)[:each]
        row = np.full(kinds, -1)
        row[liked] = np.sort(random.integers(0, 5, each))[::-1]
        scores.append(" ".join(map(str, row)))
        orders.append(f"0 {each} " + " ".join(map(str, liked)))
    (folder / SCORES).write_text("\n".join(scores) + "\n")
    (folder / ORDERS).write_text("\n".join(orders) + "\n")
    return folder


class TestSushi:
    def test_scores_and_orders_by_line(self, tmp_path):
        (tmp_path / SCORES).write_text("-1 4 0 -1\n2 -1 -1 2\n")
        (tmp_path / ORDERS).write_text("4 1\n0 2 1 2\n0 2 3 0\n")
        tables = read_sushi(tmp_path)
        assert rows(tables.reviews) == [(0, 1, 4), (0, 2, 0), (1, 0, 2), (1, 3, 2)]
        assert rows(tables.ranking_tables[0]) == [(0, 1, 1), (0, 2, 2), (1, 3, 1), (1, 0, 2)]
        assert tables.scale.levels == (0, 1, 2, 3, 4)

    @pytest.mark.parametrize(
        ("scores", "orders", "message"),
        [
            ("1 2\n", "2 1\n0 2 0 1\n0 2 1 0\n", "1 people and .* 2"),
            ("1 9\n", "2 1\n0 2 0 1\n", "line 1: scores are 0 to 4"),
            ("1 2\n", "2 1\n0 3 0 1\n", "line 2: not 0, the number"),
            ("1 2\n", "2 1\n0 2 0 0\n", "line 2: not 0, the number"),
            ("1 x\n", "2 1\n", "line 1: not whole numbers"),
            ("1 2\n", "2 1\n0 2 0 7\n", "line 2: item 7 is not scored"),
            ("1 -1\n", "2 1\n0 2 0 1\n", "line 2: item 1 is not scored"),
            ("", "2 1\n", "score is empty"),
        ],
    )
    def test_files_of_another_layout(self, tmp_path, scores, orders, message):
        (tmp_path / SCORES).write_text(scores)
        (tmp_path / ORDERS).write_text(orders)
        with pytest.raises(ImportRefused, match=message):
            read_sushi(tmp_path)

    def test_a_folder_without_the_files(self, tmp_path):
        with pytest.raises(ImportRefused, match=r"has no sushi3b\.5000\.10\.score"):
            read_sushi(tmp_path)


HEAD = "META\nkey;value\ndescription;made up\nPROJECTS\nproject_id;cost\n1;5000\n2;5000\n3;5000\nVOTES\n"


def zurich_folder(folder, points, ranks):
    lines = "".join(f"{voter};{vote};{given};40\n" for voter, vote, given in points)
    (folder / "made_up_2023_S5D10.pb").write_text(HEAD + "voter_id;vote;points;time\n" + lines)
    lines = "".join(f"{voter};{vote};40\n" for voter, vote in ranks)
    (folder / "made_up_2023_S5R.pb").write_text(HEAD + "voter_id;vote;time\n" + lines)
    (folder / "made_up_2023_S5.pb").write_text(HEAD)
    return folder


class TestZurich:
    def test_points_and_ranks_of_one_person(self, tmp_path):
        zurich_folder(
            tmp_path, [("X1", "3,1", "10,0"), ("Y2", "2", "10")], [("X1", "1,3"), ("Y2", "2,1")]
        )
        tables = read_zurich(tmp_path)
        assert rows(tables.reviews) == [("X1", "3", 10), ("X1", "1", 0), ("Y2", "2", 10)]
        assert rows(tables.ranking_tables[0]) == [("X1", "1", 1), ("X1", "3", 2), ("Y2", "2", 1)]
        assert "1 ranks left out" in tables.notes[0]

    def test_names_of_pabulib(self, tmp_path):
        zurich_folder(tmp_path, [("X1", "3", "7")], [("X1", "3")])
        for kind in ("S5D10", "S5R", "S5"):
            old = tmp_path / f"made_up_2023_{kind}.pb"
            old.rename(tmp_path / f"switzerland_made-up_{kind.lower()}_.pb")
        assert rows(read_zurich(tmp_path).reviews) == [("X1", "3", 7)]

    def test_files_of_another_layout(self, tmp_path):
        with pytest.raises(ImportRefused, match="has 0 files"):
            read_zurich(tmp_path)
        zurich_folder(tmp_path, [("X1", "3,1", "7")], [("X1", "1,3")])
        with pytest.raises(
            ImportRefused, match="voter X1 does not have one point count per project"
        ):
            read_zurich(tmp_path)
        (tmp_path / "made_up_2023_S5R.pb").write_text("META\n")
        with pytest.raises(ImportRefused, match="no section VOTES"):
            read_zurich(tmp_path)

    @pytest.mark.parametrize(
        ("votes", "message"),
        [
            (b"VOTES", "no columns voter_id and vote"),
            (b"VOTES\nvoter_id;vote\nX1\n", "has no vote"),
            (b"VOTES\nvoter_id;vote\nX1;3\nX1;1\n", "line 4: voter X1 votes twice"),
            (b"VOTES\nvoter_id;vote\nX1;3,3\n", "line 3: voter X1 votes twice"),
            (b"VOTES\nvoter_id;vote\nX\xff;3\n", "not UTF-8 text"),
        ],
    )
    def test_damaged_files(self, tmp_path, votes, message):
        zurich_folder(tmp_path, [("X1", "3", "7")], [("X1", "3")])
        (tmp_path / "made_up_2023_S5R.pb").write_bytes(votes)
        with pytest.raises(ImportRefused, match=message):
            read_zurich(tmp_path)


def aibs_workbook(path, panels):
    """Write panels of (proposals, scores by reviewer, places by reviewer)."""
    with xlsxwriter.Workbook(path) as book:
        for title, (proposals, scores, places) in panels.items():
            sheet = book.add_worksheet(title)
            sheet.write_row(0, 1, ["RandomPropID", *proposals])
            sheet.write(1, 0, "Overall scores")
            for at, (reviewer, given) in enumerate(scores.items(), start=2):
                sheet.write_row(at, 1, [reviewer, *given])
            sheet.write_row(len(scores) + 3, 1, ["Mean", *(2.3333 for _ in proposals)])
            sheet.write_row(len(scores) + 5, 1, ["RandomPropID", *proposals])
            for at, (reviewer, order) in enumerate(places.items(), start=len(scores) + 6):
                sheet.write_row(at, 1, [reviewer, *order])
            book.add_worksheet(f"{title}_Assignments").write_row(0, 0, ["RandomPropID", "COI"])
    return path


class TestAibs:
    def test_scores_and_places_of_every_panel(self, tmp_path):
        one = (
            ["P1", "P2"],
            {"R1": [1.2, 2.0], "R2": ["COI", 3.3]},
            {"R1": ["Second Place", "First Place"]},
        )
        two = (["P1"], {"R1": [5]}, {})
        tables = read_aibs(aibs_workbook(tmp_path / "a.xlsx", {"Pnl1": one, "Pnl2": two}))
        assert rows(tables.reviews) == [
            ("Pnl1/R1", "Pnl1/P1", 1.2),
            ("Pnl1/R1", "Pnl1/P2", 2.0),
            ("Pnl1/R2", "Pnl1/P2", 3.3),
            ("Pnl2/R1", "Pnl2/P1", 5.0),
        ]
        assert rows(tables.ranking_tables[0]) == [
            ("Pnl1/R1", "Pnl1/P1", 2),
            ("Pnl1/R1", "Pnl1/P2", 1),
        ]
        assert (tables.scale.levels[0], tables.scale.levels[-1], len(tables.scale.levels)) == (
            5,
            1,
            41,
        )
        assert tables.notes == ("2 panels: Pnl1, Pnl2",)

    def test_other_workbooks(self, tmp_path):
        with xlsxwriter.Workbook(tmp_path / "other.xlsx") as book:
            book.add_worksheet("Pnl1").write(0, 0, "something")
        with pytest.raises(ImportRefused, match="no sheet such as Pnl2"):
            read_aibs(tmp_path / "other.xlsx")
        wrong = {"Pnl1": (["P1"], {"R1": [7.25]}, {})}
        with pytest.raises(ImportRefused, match=r"sheet Pnl1, row 3: 7\.25 is not a score"):
            read_aibs(aibs_workbook(tmp_path / "wrong.xlsx", wrong))


def test_a_path_that_is_not_there_is_told_with_what_is_wanted(tmp_path):
    for name, known in DATA_SETS.items():
        with pytest.raises(ImportRefused) as refused:
            convert(name, tmp_path / "nowhere", tmp_path / "out")
        assert known.source in str(refused.value)


@pytest.mark.slow
def test_written_tables_are_read_and_compared(tmp_path):
    random = np.random.default_rng(4)
    proposals = [f"P{number}" for number in range(12)]
    quality = random.uniform(1.5, 4.5, 12)
    scores, places = {}, {}
    for reviewer in range(8):
        given = np.clip(np.round(quality + random.normal(0, 0.4, 12), 1), 1, 5)
        best = np.argsort(given, kind="stable")[:6]
        scores[f"R{reviewer}"] = given.tolist()
        places[f"R{reviewer}"] = [
            PLACES[best.tolist().index(number)] if number in best else "" for number in range(12)
        ]
    aibs = aibs_workbook(tmp_path / "aibs.xlsx", {"Pnl1": (proposals, scores, places)})
    (tmp_path / "sushi").mkdir()
    sushi = sushi_folder(tmp_path / "sushi", people=30)
    for name, path, levels in (("aibs", aibs, 4), ("sushi", sushi, 3)):
        folder = tmp_path / f"{name}-tables"
        command = convert(name, path, folder)
        scale = DATA_SETS[name].read(path).scale
        assert f"--rankings {folder / 'rankings.csv'} --scale {scale.text} " in command
        tables = read(folder / "reviews.csv", rankings=[folder / "rankings.csv"])
        found = compare(tables, scale=scale.text, levels=levels, conflicts="scores")
        error = {
            row["method"]: row["kendall"]
            for row in found.table().filter(rankings="as stated", policy="scores").rows(named=True)
        }
        assert error["proposed"] < error["quantized"]
