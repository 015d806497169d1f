"""Help texts with options and commands under the headings of their panels.

typer itself draws panels with rich, which takes as long to import as all the rest of `tatc --help`.
Here an option's or a command's `rich_help_panel` is a heading in plain text, also whole in a pipe.
"""

import re
from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

# typer keeps the classes of contexts, parameters and formatters private: they are Any here.
_Rows = list[tuple[str, str]]

_ARGUMENTS, _OPTIONS, _COMMANDS = "Arguments", "Options", "Commands"
_TYPE = re.compile(r" <([^<>]+)>$")
"""What typer writes behind a name that has no word for its value: `<int range>`, `<list[str]>`."""
_COMMAND_COLUMN_GAP = 6  # columns: click's indent of a list, and the space behind names


class PanelCommand(TyperCommand):
    """A command whose help has options under the headings of their panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, panel by panel."""
        _write_options(self, ctx, formatter)


class ScriptCommand(PanelCommand):
    """A command that ends in another program's words, which may look like options."""

    allow_interspersed_args = False


class PanelGroup(TyperGroup):
    """Commands whose help lists them under the headings of their panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write commands and options, panel by panel."""
        self.format_commands(ctx, formatter)
        _write_options(self, ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command's name and the first sentence of its help."""
        commands: list[Any] = [self.get_command(ctx, name) for name in self.list_commands(ctx)]
        panels: dict[str, list[Any]] = {}
        for each in (command for command in commands if not command.hidden):
            panels.setdefault(each.rich_help_panel or _COMMANDS, []).append(each)
        rows = ((name, _rows_of(listed, formatter)) for name, listed in panels.items())
        _write_panels(formatter, rows)


def _rows_of(commands: list[Any], formatter: Any) -> _Rows:
    limit = formatter.width - _COMMAND_COLUMN_GAP - max(len(each.name) for each in commands)
    return [(each.name, each.get_short_help_str(limit)) for each in commands]


def _write_options(command: Any, ctx: Any, formatter: Any) -> None:
    panels: dict[str, _Rows] = {}
    for each in command.get_params(ctx):
        record: tuple[str, str] | None = each.get_help_record(ctx)
        if record is not None:
            plain = _ARGUMENTS if each.param_type_name == "argument" else _OPTIONS
            panel = getattr(each, "rich_help_panel", None) or plain
            panels.setdefault(panel, []).append((_without_type(record[0], each), record[1]))
    # What belongs to no panel, such as --help, comes last.
    _write_panels(formatter, sorted(panels.items(), key=lambda panel: panel[0] == _OPTIONS))


def _without_type(names: str, parameter: Any) -> str:
    """Return an option's or argument's names as `--seed N` or `GAMES`, with no type of Python's."""
    found = _TYPE.search(names)
    if found is None:
        return names
    if parameter.param_type_name == "argument":
        return names[: found.start()]
    value = "N" if found[1].startswith(("int", "float")) else parameter.name.upper()
    return f"{names[: found.start()]} {value}"


def _write_panels(formatter: Any, panels: Iterable[tuple[str, _Rows]]) -> None:
    for name, rows in panels:
        with formatter.section(name):
            formatter.write_dl(rows)
