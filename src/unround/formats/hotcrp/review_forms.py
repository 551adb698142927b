"""Offline review forms (text): one file may hold a single review or those of a whole conference."""

from __future__ import annotations

from unround.formats.hotcrp.form_lines import PAPER_NUMBER, READINESS, Form, forms_in
from unround.formats.hotcrp.gathering import Gathering, Review
from unround.formats.model import ImportProblem, Options, Part
from unround.formats.sources import Source
from unround.scale import MOST_LEVELS, Scale

TITLE = "HotCRP review forms (text)"
READY = "ready"


def recognises(source: Source) -> bool:
    """Marked lines, one of which begins a review."""
    return "==+== Begin Review" in source.head_text


def read(source: Source, options: Options) -> Part:
    """Every finished review in the file; its scale where all forms list the same choices."""
    if source.is_binary:
        raise ImportProblem(f"{source.name} is not a text file")
    gathering = Gathering(source, TITLE, {})
    choices: dict[str, list[str]] = {}
    for form in forms_in(source.lines_in()):
        if not form.ended:
            raise ImportProblem(
                f"{source.name}: the review that begins on line {form.line} has no end; the file "
                "may be cut off"
            )
        for name, symbols in form.choices.items():
            if choices.setdefault(name, symbols) != symbols:
                choices[name] = []
        _add(gathering, form)
    for name, symbols in choices.items():
        if name in gathering.fields:
            gathering.fields[name].scale = _scale(symbols)
    return gathering.part(options)


def _add(gathering: Gathering, form: Form) -> None:
    paper = form.paper or form.told(PAPER_NUMBER)
    ready = form.told(READINESS)
    if ready and not ready.lower().startswith(READY):
        gathering.left_out["review not submitted"] += 1
    elif not paper.isdigit():
        gathering.left_out["form without a paper's number"] += 1
    else:
        where = f"line {form.line}"
        gathering.add(
            Review(
                where=where,
                paper=paper,
                scores=_scores(gathering, form, where),
                review=paper + form.ordinal if form.ordinal else "",
                name=form.name,
                email=form.email,
                carried={"title": form.title},
            )
        )


def _scores(gathering: Gathering, form: Form, where: str) -> dict[str, str]:
    """What was answered with a symbol; in a form 0 is no entry, and letters may be small."""
    scores: dict[str, str] = {}
    for name, answer in form.answers.items():
        if name.lower() in (READINESS, PAPER_NUMBER):
            continue
        # Where choices are listed the answer is a line; what follows is its label, wrapped.
        line = answer.partition("\n")[0] if name in form.choices else answer
        short = line.upper() if len(line) == 1 else line
        score = gathering.field(name).take("" if short == "0" else short, where)
        if score:
            scores[name] = score
    return scores


def _scale(symbols: list[str]) -> Scale | None:
    """The scale that a list of choices states, whichever way it is listed; letters: A is best."""
    numbers = {int(symbol) for symbol in symbols if symbol.isdigit()}
    letters = {symbol for symbol in symbols if not symbol.isdigit()}
    if len(symbols) > MOST_LEVELS or len(numbers) + len(letters) < len(symbols):
        return None
    if letters:
        return Scale(sorted(letters, reverse=True)) if not numbers else None
    return Scale(sorted(numbers)) if numbers else None
