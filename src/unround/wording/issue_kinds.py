"""What each kind of issue means and what to do about it.

Options stand in braces, such as {conflicts:scores}; `advice` and `further_advice` fill them in for the
current audience.
"""

from __future__ import annotations

from typing import NamedTuple

from unround.wording.options import PAGE, current_audience, with_options


class IssueWords(NamedTuple):
    """A title, what it means, an example, and what to do: in one clause, and in full."""

    title: str
    meaning: str
    example: str
    advice: str  # one clause without a full stop
    more: str  # other options, and what each of them costs
    page_advice: str = ""  # replaces the advice where pages have no control for it


ISSUE_KINDS = {
    "column": IssueWords(
        "Column not found",
        "A table lacks a column that is needed: reviewer, paper and score for reviews; reviewer, paper "
        "and rank, or reviewer, better and worse, for rankings.",
        "reviews.csv has the columns Referee, Paper and Note, and none that holds a score.",
        "name the column as expected; for files, say which one it is with {columns:score=Note}",
        "The message lists the columns that are there. Common names (such as Referee or Overall merit) "
        "are understood without being named.",
    ),
    "empty": IssueWords(
        "No reviews",
        "The table of reviews has no rows.",
        "An export was made before reviews were submitted, or with a filter that matches none.",
        "check that the export has reviews",
        "Make the export again, for all papers, and look into the file before giving it to unround.",
    ),
    "missing-value": IssueWords(
        "Value missing",
        "A row lacks its reviewer or paper; in a dataframe, its score or rank too.",
        "Line 12 of reviews.csv is `ann,,5`: nothing says which paper Ann gave a 5.",
        "fill in the value or remove the row",
        "In files, reviews without a score and papers without a rank are no issue: they do not count, and a "
        "note says how many there are.",
    ),
    "type": IssueWords(
        "Numbers and text mixed",
        "A column holds both numbers and text, or its ids are text where those of the reviews are numbers.",
        "The score on line 3213 is TBD, all others are numbers.",
        "make the column all numbers or all text",
        "The message names the cells that differ. If scores are words, name every level, worst to best: "
        "{scale:reject,borderline,accept}.",
    ),
    "off-scale": IssueWords(
        "Score off the scale",
        "A score is not a level of the scale.",
        "The scale is 1 to 5 and a review has 6.",
        "correct the score, or name every level of the scale with {scale}",
        "Where the scale was given, it may lack a level that the form has. Where the file states it, "
        "the file may come from another form.",
    ),
    "doubtful-scale": IssueWords(
        "Scale not clear",
        "No scale was stated, and the scores fit more than one: there is a lone score far from all others, "
        "numbers look like dates, levels are unevenly spaced, or few scores have decimals.",
        "Two thousand reviews have scores from 1 to 10 and one has 77.",
        "say which levels reviewers could choose, as the message shows",
        "The message names these scores and ends with a scale that can be copied. Once the scale is stated, "
        "scores that are not on it are listed one by one.",
    ),
    "duplicate-review": IssueWords(
        "Review given twice",
        "One reviewer has two scores for one paper.",
        "Ann's review of paper 17 is on lines 12 and 80, with the scores 5 and 6.",
        "keep one row for each reviewer and paper; for files, {duplicates:first} or {duplicates:mean} does "
        "so, and {duplicates:newest} where dates tell",
        "Often two exports of different days were read together: give only the newer one, or say which "
        "review counts when the files are read: {duplicates:newest}, {duplicates:first} or "
        "{duplicates:mean}.",
    ),
    "duplicate-rank": IssueWords(
        "Rank given twice",
        "One reviewer has two ranks for one paper.",
        "Ann ranks paper 17 first on line 3 and fourth on line 9.",
        "keep one rank for each reviewer and paper",
        "Often two versions of a ranking were read together: give only the newer one.",
    ),
    "doubtful-rank": IssueWords(
        "Rank of 0 or below",
        "1 is the best rank. A rank of 0 or below may be a place, or stand for a paper that is not ranked.",
        "Ann ranks three papers 1, 2 and 3, and the other two 0.",
        "leave out the rows of papers that are not ranked, or add to every rank so that the best is 1",
        "For files, say what such a rank means: {missing:rank=0} if the paper is not ranked, {missing:rank=} "
        "if 0 is the best rank.",
    ),
    "unreviewed": IssueWords(
        "Ranked but not reviewed",
        "A reviewer ranks a paper for which there is no review of theirs.",
        "Ann ranks paper 17, and reviews.csv has no review of paper 17 by Ann.",
        "remove the statement or add the review",
        "When this happens to most statements, ids are written differently in the two files, such as 17 "
        "in one and #17 in the other; the notes say if {match_ids} would match them. "
        "Under {conflicts:scores} or {conflicts:rankings} such "
        "statements are set aside.",
    ),
    "self-comparison": IssueWords(
        "Paper compared with itself",
        "A stated pair names one paper twice.",
        "Line 4 of pairs.csv says that Ann prefers paper 17 to paper 17.",
        "remove the statement",
        "Under {conflicts:scores} or {conflicts:rankings} it is set aside.",
    ),
    "cycle": IssueWords(
        "Ranking goes in a circle",
        "A reviewer's comparisons lead from a paper back to itself. No scores can satisfy that.",
        "Ann prefers 1 to 2, 2 to 3, and 3 to 1.",
        "ask the reviewer which comparison holds, or set the circle aside with {conflicts:scores}",
        "Under {conflicts:rankings} too the comparisons of the circle are set aside; all others count.",
    ),
    "contradiction": IssueWords(
        "Ranking contradicts scores",
        "A reviewer ranks one paper above another and gave it the lower score.",
        "Ann ranks paper 1 above paper 2, with the scores 5 and 6.",
        "ask the reviewer, or choose what counts with {conflicts:scores} or {conflicts:rankings}",
        "In public data 8 to 18 of 100 untied pairs are like this. With {conflicts:scores} the comparison "
        "is set aside. With {conflicts:rankings} both scores may leave their rounding ranges just as far "
        "as the ranking needs. Either way every case is listed.",
    ),
    "upside-down": IssueWords(
        "Scale or ranks upside down",
        "Nearly all comparisons of papers with different scores go against the scores. Reviewers contradict "
        "themselves now and then, but not nearly always: probably the lowest score is the best one, or the "
        "largest rank.",
        "In 190 of 200 comparisons the paper that is ranked higher has the lower score.",
        "reverse the scale, for example {scale:5..1} where 1 is the best score, or reverse the ranks",
        "A run continues if the scale is stated and a policy for contradictions is chosen; most "
        "statements are then set aside, or rounding ranges become very wide.",
    ),
    "no-room": IssueWords(
        "No room for the ranking",
        "So many papers with equal or neighbouring scores are ranked that gaps of ε do not fit into "
        "their rounding ranges.",
        "Ann ranks 25 papers, all with score 6: 24 gaps of 0.05 need 1.2, and the range is 1 wide.",
        "choose a smaller gap with {epsilon}, or {conflicts:scores}, which shrinks it for that reviewer "
        "alone",
        "With {conflicts:scores} the reviewer's gap becomes half of the largest that fits. With "
        "{conflicts:rankings} the rounding ranges widen as far as is needed.",
    ),
    "most-lost": IssueWords(
        "Most statements cannot be used",
        "More than half of all ranks or comparisons cannot be used: they name papers that the reviewer did "
        "not review, contradict the scores, or go in a circle.",
        "2,400 of 2,500 ranks name papers by other ids than the reviews do.",
        "check that the files belong together, or continue with {allow_loss}",
        "Often ids are written differently in the two files, or the rankings are of another year. Such "
        "a run would have almost no rankings under any policy, so it stops.",
        page_advice="check that the files belong together, or run without the rankings",
    ),
    "undecided-lambda": IssueWords(
        "Nothing decides λ",
        "λ says how much the given scores weigh against the other reviewers of a paper. The scores are too "
        "few or too similar for validation to prefer one λ to another.",
        "Six reviews, or a conference in which every paper got one score.",
        "give a λ of your own, such as {lam:30}, or add reviews: several for each paper, with scores "
        "that differ",
        "Until then an infinite λ is used, which moves scores only as far as the rankings need.",
    ),
    "too-large": IssueWords(
        "Ranking too large",
        "One reviewer's statements make an order of more than 200,000 comparisons that do not follow from "
        "each other. Or, where rankings are trusted, they compare more than 500 papers against the scores, "
        "and not in one list of ranks.",
        "Ann ranks 5,000 papers in three groups, against many of her scores.",
        "leave out some of that reviewer's statements",
        "Rankings of thousands of papers without conflicts, or with few ties, are far below that.",
    ),
}


def advice(kind: str) -> str:
    """Return what to do about a kind of issue, in one clause."""
    words = ISSUE_KINDS[kind]
    if current_audience() is PAGE and words.page_advice:
        return words.page_advice
    return with_options(words.advice)


def further_advice(kind: str) -> str:
    """Return the other options, in sentences."""
    return with_options(ISSUE_KINDS[kind].more)
