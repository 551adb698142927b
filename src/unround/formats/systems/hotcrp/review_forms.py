"""Read HotCRP's offline review forms (text), in the old style and in the current one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from unround.formats.files.source import Source
from unround.formats.model import Context, FileContent, ImportRefused, Options
from unround.formats.systems.form_fields import Field
from unround.formats.systems.hotcrp.reviews import NOT_SUBMITTED, HotcrpReviews
from unround.formats.systems.review_collector import Review
from unround.scale import MOST_LEVELS, Scale
from unround.wording import option

TITLE = "HotCRP review forms (text)"
READY = "ready"
END = "end review"
LONGEST_ANSWER = 200
LONGEST_HEADING = 1_000
DEEP = "   "  # how far a continued line is indented behind its mark
READINESS, PAPER_NUMBER, SCRATCHPAD = "review readiness", "paper number", "scratchpad"
_MARKED = re.compile(r"==([-+*])==[ \t]?(.*)", re.DOTALL)
_BEGIN = re.compile(r"Begin Review\s*#?([0-9]*)([A-Z]*)\s*", re.IGNORECASE)
_PAPER = re.compile(r"Paper #([0-9]+)\s*", re.IGNORECASE)
_REVIEWER = re.compile(r"Reviewer:\s*(.*)", re.IGNORECASE)
_PERSON = re.compile(r"([^<>]*)<([^<>]*)>")
_OLD_LETTER = re.compile(r"[A-Z]{1,2}\.\s+")
_WHO_SEES = re.compile(
    r"\s*\((?:hidden|invisible|visible|shown|pc only|secret|private)[^()]*\)$", re.IGNORECASE
)
_CHOICE = re.compile(r"\s{2,}([0-9]+|[A-Z])\.\s")


def recognises(source: Source) -> bool:
    """Return whether a marked line begins a review."""
    return "==+== Begin Review" in source.head_text


def read(source: Source, options: Options, context: Context) -> FileContent:
    """Read every finished review, and the scale if all forms list the same choices."""
    if source.is_binary:
        raise ImportRefused(f"{source.name} is not a text file")
    collector = HotcrpReviews(source, TITLE, context)
    choices: dict[str, list[str]] = {}
    for form in forms_in(source.numbered_lines()):
        if not form.ended:
            raise ImportRefused(
                f"{source.name}: the review that begins on line {form.line} has no end; the file "
                "may be cut off"
            )
        if not form.begun:
            raise ImportRefused(
                f"{source.name}, line {form.line} ends a review that has no beginning: its line "
                "'==+== Begin Review' is missing or damaged"
            )
        for name, symbols in form.choices.items():
            if choices.setdefault(name, symbols) != symbols:
                choices[name] = []
        _add(collector, form, options)
    for name, symbols in choices.items():
        collector.fields.setdefault(name, Field(name, name)).scale = _scale(symbols)
    return collector.content(options, marks_meta_reviews=False)


def _add(collector: HotcrpReviews, form: Form, options: Options) -> None:
    """Add a review. HotCRP writes "Ready" into drafts too, but gives letters to submitted reviews alone."""
    paper = form.paper or form.answer_in(PAPER_NUMBER)
    ready = form.answer_in(READINESS)
    review = Review(
        place=f"{collector.name}, line {form.line}",
        paper=paper,
        values=_answers(form),
        review=paper + form.ordinal if form.ordinal else "",
        name=form.name,
        email=form.email,
        carried={"title": form.title},
    )
    if not paper.isdigit():
        collector.left_out["form without a paper's number (blank)"] += 1
    elif ready and not ready.lower().startswith(READY):
        collector.add(review, NOT_SUBMITTED)
    elif not form.ordinal and not options.count_drafts:
        counts = f"{option('count_drafts')} counts them"
        collector.add(
            review, f"review without a letter (#17 in place of #17A: not submitted; {counts})"
        )
    else:
        collector.add(review)


def _answers(form: Form) -> Iterator[tuple[str, str]]:
    """Yield answers that may be scores; in a form 0 means no entry, and letters may be lower case."""
    for name, answer in form.answers.items():
        if name.lower() in (READINESS, PAPER_NUMBER):
            continue
        # Where choices are listed the answer is a line; what follows is its label, wrapped.
        line = answer.partition("\n")[0] if name in form.choices else answer
        short = line.upper() if len(line) == 1 else line
        yield name, "" if short == "0" else short


def _scale(symbols: list[str]) -> Scale | None:
    """Return the scale of a list of choices, best first or worst first; of letters, A is best."""
    numbers = {int(symbol) for symbol in symbols if symbol.isdigit()}
    letters = {symbol for symbol in symbols if not symbol.isdigit()}
    if len(symbols) > MOST_LEVELS or len(numbers) + len(letters) < len(symbols):
        return None
    if letters:
        return Scale(sorted(letters, reverse=True)) if not numbers else None
    return Scale(sorted(numbers)) if numbers else None


def forms_in(lines: Iterable[tuple[int, str]]) -> Iterator[Form]:
    """Yield every form of a file; the last one may be cut off."""
    form: Form | None = None
    for number, line in lines:
        marked = _MARKED.match(line[:LONGEST_HEADING]) if line.startswith("==") else None
        begins = _BEGIN.fullmatch(marked.group(2)) if marked else None
        if begins:
            if form is not None:
                yield form
            form = Form(number, paper=begins.group(1), ordinal=begins.group(2).upper())
        elif form is not None and marked:
            form.mark(marked.group(1), marked.group(2))
        elif form is not None:
            form.answer(line)
        elif marked and marked.group(2).strip().lower() == END:
            yield Form(number, begun=False, ended=True)
        if form is not None and form.ended:
            yield form
            form = None
    if form is not None:
        yield form


@dataclass
class Form:
    """The lines of one review form, parsed."""

    line: int
    paper: str = ""
    ordinal: str = ""
    name: str = ""
    email: str = ""
    title: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    begun: bool = True
    ended: bool = False
    _section: str = ""  # the field whose answer comes next
    _listing: bool = False  # inside the choices of a field
    _titling: bool = False

    def mark(self, kind: str, text: str) -> None:
        """Parse a line that begins with ==+==, ==*== or ==-==."""
        if kind == "-":
            self._remark(text)
        elif text.startswith(DEEP) and self._section and self._section not in self.answers:
            self._begin_section(f"{self._section} {text.strip()}"[:LONGEST_HEADING])
        else:
            self._listing = self._titling = False
            self._open(kind, text.strip())

    def answer(self, text: str) -> None:
        """Parse a line that the reviewer wrote."""
        if not text.strip() or not self._section:
            return
        if self._section not in self.answers:
            self.answers[self._section] = text.strip()[: LONGEST_ANSWER + 1]
        else:
            # More than one line: a text, which no longer looks like a score.
            self.answers[self._section] = self.answers[self._section][:LONGEST_ANSWER] + "\n…"

    def answer_in(self, section: str) -> str:
        """Return the answer in a section that is not a field of the form."""
        return next(
            (answer for name, answer in self.answers.items() if name.lower() == section), ""
        )

    def _remark(self, text: str) -> None:
        choice = _CHOICE.match(text)
        if text.lower().startswith("title:"):
            self.title, self._titling = text[len("title:") :].strip(), True
        elif self._titling and text.startswith(DEEP):
            if len(self.title) < LONGEST_HEADING:
                self.title = f"{self.title} {text.strip()}"
        elif text.strip().lower() == "choices:":
            self._listing = True
        elif self._listing and choice:
            self.choices.setdefault(self._section, []).append(choice.group(1))

    def _open(self, kind: str, text: str) -> None:
        paper, reviewer = _PAPER.fullmatch(text), _REVIEWER.fullmatch(text)
        self._section = ""
        if paper:
            self.paper = paper.group(1)
        elif reviewer:
            self.name, self.email = _person(reviewer.group(1).strip())
        elif text.lower() == END:
            self.ended = True
        elif not text.lower().startswith((SCRATCHPAD, "version ", "=====")):
            self._begin_section(_OLD_LETTER.sub("", text, count=1) if kind == "+" else text)

    def _begin_section(self, heading: str) -> None:
        self._section = _WHO_SEES.sub("", heading)


def _person(text: str) -> tuple[str, str]:
    """Return name and e-mail of "Jane Doe <jane@example.org>", or of either alone."""
    both = _PERSON.fullmatch(text)
    if both:
        return both.group(1).strip(), both.group(2).strip()
    return ("", text) if re.fullmatch(r"\S+@\S+", text) else (text, "")
