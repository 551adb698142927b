"""Tables of authors for the audit of influence: who reviewed a paper is not taken for its author."""

import pytest

from unround.audit.influence.authors import read_authors
from unround.formats.model import ImportRefused


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("paper,title", "has no column author"),
        ("paper,reviewer", "has no column author"),
        ("paper,reviewer,rank", "has no column author"),
        ("paper,reviewer,score", "has no column author"),
        ("paper,author,score", "may be a table of reviews or rankings, .* column 'score'"),
        ("paper,author,Overall merit", "may be a table of reviews .* column 'Overall merit'"),
        ("paper,author,rank", "may be a table of reviews or rankings, .* column 'rank'"),
        ("better,author,paper", "may be a table of reviews .* column 'better'"),
    ],
)
def test_a_table_of_reviewers_is_not_taken_for_authors(tmp_path, header, words):
    table = tmp_path / "authors.csv"
    table.write_text(f"{header}\n{','.join('1' for _ in header.split(','))}\n")
    with pytest.raises(ImportRefused, match=words):
        read_authors(table)


def test_what_else_is_known_of_papers_and_people_may_stand_beside_the_authors(tmp_path):
    table = tmp_path / "authors.csv"
    table.write_text("Paper ID,Authors,email,title,track,decision\n7,ann; bob,a@x.org,Sums,A,\n")
    assert read_authors(table) == [("ann", "7"), ("bob", "7")]
