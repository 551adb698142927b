"""Options that several commands share, each group parsed into one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from unround.cli.screen import err
from unround.errors import UsageError
from unround.formats.model import Options
from unround.formats.registry import other_systems
from unround.runs.inputs import InputFiles
from unround.runs.uncertainty import EstimateOptions
from unround.settings import EPSILON, Accept, Policy, Settings, Unranked
from unround.solver.dask_engine import Dask
from unround.solver.engine import LOCAL, Engine, find_engine
from unround.wording import DUPLICATES, MATCH_IDS, SYSTEMS

if TYPE_CHECKING:
    from unround.console.settings import ConsoleSettings

Command = Callable[..., Any]
Option = Callable[[Command], Command]
PATH = click.Path(path_type=Path, readable=False)  # whoever reads it says why that is not possible
DASK = "dask"
DATABASE = "UNROUND_DATABASE"
PASSWORD_VISIBLE = (
    "Warning: other users of this machine can read the database's password in the process list. Leave it "
    f"out of --database; set PGPASSWORD or {DATABASE} instead."
)


# What most runs need; the help lists other options below.
MOST_NEEDED = (
    *("rankings", "output", "force", "scale", "conflicts", "lam", "accept", "uncertainty"),
    *("column", "missing", "field", "duplicates", "match_ids"),
)


class GroupedCommand(click.Command):
    """A command whose help lists the options that most runs need first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in two groups."""
        options = {one.name: one for one in self.get_params(ctx) if isinstance(one, click.Option)}
        first = [options.pop(name) for name in MOST_NEEDED]
        for title, group in (("Options", first), ("Seldom needed", [*options.values()])):
            with formatter.section(title):
                formatter.write_dl([*filter(None, (one.get_help_record(ctx) for one in group))])


def choice_option(*names: str, choices: Iterable[str], default: str, meaning: str) -> Option:
    """Return an option that takes one of several words."""
    kind = click.Choice([str(choice) for choice in choices])
    return click.option(*names, type=kind, default=default, show_default=True, help=meaning)


def grouped(name: str, build: Callable[..., Any], *options: Option) -> Option:
    """Return these options as one decorator; the command gets `name`, which `build` makes of them."""

    def add(command: Command) -> Command:
        @wraps(command)
        def with_one_value(**given: Any) -> Any:
            own = {each: given.pop(each) for each in names}
            return command(**given, **{name: build(**own)})

        before = len(getattr(command, "__click_params__", ()))
        with_options: Any = with_one_value
        for option in reversed(options):
            with_options = option(with_options)
        names = [each.name for each in with_options.__click_params__[before:]]
        return with_one_value

    return add


class SystemName(click.Choice[str]):
    """The name of a system: one of ours, or one that another package adds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; refuse one that no package has."""
        if value in self.choices:  # nearly always: no need to look at every installed package
            return str(value)
        return click.Choice((*self.choices, *other_systems())).convert(value, param, ctx)


def _input_files(
    reviews: tuple[Path, ...],
    rankings: tuple[Path, ...],
    system: str,
    column: tuple[str, ...],
    missing: tuple[str, ...],
    field: tuple[str, ...],
    **others: Any,
) -> InputFiles:
    context = click.get_current_context()
    context.find_root().obj = context  # what was typed, for the refusal
    columns, nothing = _pairs(column, "--column"), _pairs(missing, "--missing")
    options = Options(system, columns=columns, missing=nothing, score_fields=field, **others)
    return InputFiles(reviews, rankings, options)


input_options = grouped(
    "inputs",
    _input_files,
    click.argument("reviews", nargs=-1, required=True, type=PATH),
    click.option(
        "--rankings", multiple=True, type=PATH, help="Rankings; repeat for several files."
    ),
    click.option(
        "--format",
        "system",
        type=SystemName(("auto", *SYSTEMS)),
        default="auto",
        show_default=True,
        help="System that exported the files; auto detects it.",
    ),
    click.option(
        "--column",
        multiple=True,
        metavar="OURS=THEIRS",
        help="Name of a column, or (none).",
    ),
    click.option(
        "--missing",
        multiple=True,
        metavar="OURS=VALUE",
        help="Value that means none, such as score=0.",
    ),
    click.option("--field", multiple=True, help="Score field; repeat for fallbacks."),
    click.option("--ranker", help="Who ranked, if a HotCRP file has no names."),
    choice_option(
        "--duplicates",
        choices=DUPLICATES,
        default="refuse",
        meaning="Which review counts where a reviewer has several of one paper.",
    ),
    choice_option(
        "--match-ids",
        choices=MATCH_IDS,
        default="certain",
        meaning="When ids such as 6, 006 and Paper 6 are the same.",
    ),
    click.option(
        "--count-drafts",
        is_flag=True,
        help="HotCRP's review forms: count those without a letter, which are not submitted.",
    ),
    click.option("--keep-withdrawn", is_flag=True, help="Count withdrawn papers too."),
    click.option(
        "--encoding", default="", help="Encoding of text files that are not UTF-8, such as cp1252."
    ),
)


epsilon_option = click.option(
    "--epsilon",
    type=float,
    default=EPSILON,
    show_default=True,
    help="Smallest gap between ranked papers, in level spacings.",
)


def sample_option(sampled: str) -> Option:
    """Return the option `--sample N`, whose help says what is sampled."""
    size = click.IntRange(min=1)
    return click.option("--sample", type=size, metavar="N", help=f"{sampled} (default: all).")


method_options = grouped(
    "settings",
    Settings.checked,
    click.option(
        "--scale", help="Levels, worst to best: 1..10; 1,3,5; D,C,B,A (default: inferred)."
    ),
    epsilon_option,
    choice_option(
        "--conflicts",
        choices=Policy,
        default="refuse",
        meaning="What rules where a ranking contradicts its author's scores.",
    ),
    choice_option(
        "--unranked",
        choices=Unranked,
        default="apart",
        meaning="Unranked papers: not compared, or below.",
    ),
    click.option("--allow-loss", is_flag=True, help="Continue even if most statements are lost."),
    click.option("--ignore-rankings", is_flag=True, help="Use scores alone."),
)


def _estimates(
    uncertainty: bool, accept: str | None, calibration: bool, stability: bool
) -> EstimateOptions:
    uncertainty = uncertainty or (accept is not None and not stability)
    return EstimateOptions(uncertainty, calibration, stability, _accept(accept))


estimate_options = grouped(
    "estimates",
    _estimates,
    click.option(
        "--uncertainty",
        is_flag=True,
        help="Also estimate intervals of places.",
    ),
    click.option(
        "--accept",
        metavar="PAPERS",
        help="Papers to accept; adds --uncertainty.",
    ),
    click.option(
        "--calibrate", "calibration", is_flag=True, help="Also estimate reviewers' strictness."
    ),
    click.option("--stability", is_flag=True, help="Also test orders by resampling reviewers."),
)


def line_option(command: Command) -> Command:
    """Add `--accept`, the number of papers above the line."""
    return click.option(
        "--accept",
        metavar="PAPERS",
        default="25%",
        show_default=True,
        callback=lambda _context, _option, text: _accept(text),
        help="Number of papers to accept, or a share.",
    )(command)


def _accept(text: str | None) -> Accept | None:
    try:
        return None if text is None else Accept.read(text)
    except UsageError as wrong:
        raise click.BadParameter(str(wrong), param_hint="--accept") from None


def _engine(name: str, scheduler: str | None) -> Engine:
    if scheduler is None:
        return find_engine(name)
    if name != DASK:
        raise UsageError("a scheduler is used by the engine 'dask' only: add --engine dask")
    return Dask(scheduler)


engine_options = grouped(
    "engine",
    _engine,
    click.option(
        "--engine",
        "name",
        metavar="ENGINE",
        default=LOCAL,
        show_default=True,
        help="local: this machine; gpu: its NVIDIA GPU; dask: a Dask cluster.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Dask scheduler, such as tcp://host:8786.",
    ),
)


def _pairs(entries: tuple[str, ...], name: str) -> dict[str, str]:
    """Return what an option says of each of our columns."""
    chosen: dict[str, str] = {}
    for entry in entries:
        ours, separator, theirs = (part.strip() for part in entry.partition("="))
        if not separator or not ours:
            raise click.BadParameter(f"{entry!r} is not of the form OURS=THEIRS", param_hint=name)
        if ours in chosen:
            raise click.BadParameter(f"{ours!r} is named twice", param_hint=name)
        chosen[ours] = theirs
    return chosen


def data_options(command: Command) -> Command:
    """Add `--data` and `--database`, where the console's data are; the command gets `settings`."""

    @click.option(
        "--data",
        type=PATH,
        default=Path("unround-data"),
        show_default=True,
        help="Folder of uploads and the database.",
    )
    @click.option(
        "--database",
        metavar="URL",
        envvar=DATABASE,
        show_envvar=True,
        callback=_warn_of_password,
        help="postgresql://user@host/name instead of SQLite; password in PGPASSWORD.",
    )
    @wraps(command)
    def wrapper(data: Path, database: str | None, **rest: Any) -> Any:
        _check_installed()
        from unround.console.settings import ConsoleSettings
        from unround.console.storage.open_data import plain_database_errors

        with plain_database_errors():
            return command(settings=ConsoleSettings(data=data, database=database), **rest)

    return wrapper


def _check_installed() -> None:
    """Raise UsageError if the extra `console` is not installed."""
    for package in ("alembic", "cachetools", "fastapi", "sqlalchemy", "uvicorn"):
        if find_spec(package) is None:
            raise UsageError(f"the console needs {package}: pip install 'unround[console]'")


def check_data(settings: ConsoleSettings) -> None:
    """Refuse a folder that holds no console's data."""
    if settings.database is None and not settings.sqlite_file.is_file():
        raise UsageError(f"{settings.data} is not a console's data folder; name it with --data")


def check_public_url(url: str | None) -> None:
    """Refuse a public address that links cannot begin with."""
    if url is None:
        return
    try:
        parts = urlsplit(url)
    except ValueError:  # such as http://[x
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/"):
        raise UsageError("--public-url must be an address such as https://unround.example.org")


def _warn_of_password(
    context: click.Context, option: click.Parameter, url: str | None
) -> str | None:
    """Warn about a password on the command line."""
    source = context.get_parameter_source(option.name or "")
    has_password = ":" in (url or "").partition("://")[2].rpartition("@")[0]
    if source is click.core.ParameterSource.COMMANDLINE and has_password:
        err().print(PASSWORD_VISIBLE)
    return url
