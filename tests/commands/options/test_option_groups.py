"""Groups of options as values, and the panels of `--help`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from inspect import signature
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from tatc.cli import app
from tatc.commands.options.shared_options import OptionField, with_option_groups
from tatc.commands.text.help_panels import PanelCommand, PanelGroup
from tatc.commands.text.output import help_words


@dataclass(frozen=True, slots=True)
class Base:
    name: Annotated[str, typer.Argument(help="Whom.", rich_help_panel="Who")]
    loud: Annotated[bool, typer.Option("--loud", help="Shout.", rich_help_panel="How")] = False


@dataclass(frozen=True, slots=True)
class Longer(Base):
    times: int = OptionField("How")(2, min=1, help="How often.")


def _app() -> typer.Typer:
    app = typer.Typer(cls=PanelGroup, rich_markup_mode=None, add_completion=False)

    @app.command(cls=PanelCommand, rich_help_panel="Words")
    @with_option_groups
    def greet(
        who: Longer, bye: Annotated[bool, typer.Option("--bye", help="Part.")] = False
    ) -> None:
        """Greet someone."""
        typer.echo(f"{who} {bye}")

    @app.command(cls=PanelCommand)
    def rest() -> None:
        """Do nothing."""

    return app


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("Ann", "Longer(name='Ann', loud=False, times=2) False"),
        ("--times 3 --bye Ann --loud", "Longer(name='Ann', loud=True, times=3) True"),
    ],
)
def test_a_command_gets_its_options_as_one_value(words: str, value: str):
    done = CliRunner().invoke(_app(), ["greet", *words.split()])
    assert (done.exit_code, done.stdout) == (0, f"{value}\n")


@pytest.mark.parametrize("words", ["", "Ann --times 0", "Ann --often"])
def test_options_of_a_group_are_checked(words: str):
    assert CliRunner().invoke(_app(), ["greet", *words.split()]).exit_code == 2


def _headings(words: list[str]) -> list[str]:
    lines = CliRunner().invoke(_app(), [*words, "--help"]).stdout.splitlines()
    return [line for line in lines if line.endswith(":") and not line.startswith(" ")]


def test_help_lists_options_and_commands_by_their_panels():
    assert _headings(["greet"]) == ["Who:", "How:", "Options:"]
    assert _headings(["rest"]) == ["Options:"]
    assert _headings([]) == ["Words:", "Commands:", "Options:"]


def test_all_words_of_help_belong_to_an_option_or_a_command() -> None:
    commands = get_command(app)  # importing it imports the modules of all commands
    modules = [each for name, each in sys.modules.items() if name.startswith("tatc.commands.")]
    groups = {name: each for module in modules for name, each in vars(module).items()}
    words = dict(help_words())
    for name in words.pop("examples"):
        assert reduce(lambda found, word: found.commands[word], name.split(), commands)
    of_several, notes = words.pop("shared"), words.pop("notes")
    for name, of_parameters in words.items():
        known = {"about", *signature(groups[name]).parameters}
        assert of_parameters.keys() <= known, name
    assert all(notes.values())
    helps = {each.help for each in _parameters_below(commands)}
    assert {each["help"].strip() for each in of_several.values()} <= helps


def _parameters_below(command: Any) -> Iterator[Any]:
    yield from command.params
    for each in getattr(command, "commands", {}).values():
        yield from _parameters_below(each)


def test_parameter_without_words_is_named() -> None:
    @dataclass(frozen=True, slots=True)
    class Mute:
        loud: bool = OptionField("How")(False, "--loud")

    def greet(mute: Mute) -> None: ...

    def part(softly: bool = False) -> None: ...

    for command, named in ((greet, r"Mute\.loud"), (part, r"part\.softly")):
        with pytest.raises(KeyError, match=named):
            with_option_groups(command)
