"""Write the help of every command into docs/commands.md.

    python docs/_tools/commands.py

Only the part between the two marks is written; the rest of the page is for people to write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from marked import filled, table

from unround.cli.group import commands

PAGE = Path(__file__).parents[1] / "commands.md"
MODEL = "unround run"  # explains the options that it shares with others
FEWEST_SHARED = 5  # with fewer, a command explains its own


def with_commands(page: str) -> str:
    """Return the page with the current commands between its marks."""
    return filled(page, {"commands": reference()}, "docs/_tools/commands.py")


def reference() -> str:
    """Return one section per command."""
    named = dict(all_commands())
    explained = _rows(MODEL, named[MODEL])
    return "\n\n".join(
        _section(path, command, {} if path == MODEL else explained)
        for path, command in named.items()
    )


def all_commands(
    group: click.Group = commands, path: str = "unround"
) -> Iterator[tuple[str, click.Command]]:
    """Yield every command, also inside groups, with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from all_commands(command, f"{path} {name}")


def _section(path: str, command: click.Command, explained: dict[str, tuple[str, ...]]) -> str:
    """Return a command's help, usage with an example, and options; those explained elsewhere by name."""
    usage = command.collect_usage_pieces(click.Context(command, info_name=path))
    example = (command.epilog or "").removeprefix("Example:").strip()
    lines = [" ".join((path, *usage)), *filter(None, [example])]
    parts = [f"## {path}", _paragraphs(command.help), "\n".join(["```text", *lines, "```"])]
    rows = _rows(path, command)
    shared = [names for names, row in rows.items() if explained.get(names) == row]
    if len(shared) >= FEWEST_SHARED:
        rows = {names: row for names, row in rows.items() if names not in shared}
        listed = ", ".join(shared)
        parts.append(f"Options as in [{MODEL}](#{MODEL.replace(' ', '-')}): {listed}.")
    if rows:
        parts.append(table(("Option", "Value", "Meaning"), rows.values()))
    return "\n\n".join(parts)


def _rows(path: str, command: click.Command) -> dict[str, tuple[str, ...]]:
    """Return the row of every option by its names."""
    context = click.Context(command, info_name=path)
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    return {_names(option): _row(option, context) for option in options}


def _names(option: click.Option) -> str:
    return ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))


def _paragraphs(text: str | None) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


def _row(option: click.Option, context: click.Context) -> tuple[str, ...]:
    meaning = [_paragraphs(option.help)]
    default = option.get_default(context)
    if option.required:
        meaning.append("Required.")
    elif option.show_default and default is not None:
        shown = ", ".join(default) if isinstance(default, tuple) else default
        meaning.append(f"Default: `{shown}`.")
    return _names(option), _value(option, context), " ".join(meaning).replace("<", "&lt;")


def _value(option: click.Option, context: click.Context) -> str:
    if option.is_flag or option.count:
        return ""
    if isinstance(option.type, click.Choice):
        return " ".join(f"`{choice}`" for choice in option.type.choices)
    return f"`{option.make_metavar(context)}`"


if __name__ == "__main__":
    PAGE.write_text(with_commands(PAGE.read_text("utf-8")), "utf-8")
