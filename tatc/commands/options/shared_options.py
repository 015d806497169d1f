"""Options that several commands take, worded once, and the headings of `--help`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer

from tatc.base.errors import BadInput
from tatc.commands.text.output import help_words
from tatc.session.agents.settings import SETTINGS, Setting

Value = TypeVar("Value")

# Options that go together, as one value of a dataclass in a command's signature: a field of such a
# group is an `OptionField`, or annotated as typer's parameters are, or made by `SpreadOptions`.
# Options and arguments without a `help` have that and their metavar in `help.toml`, under the
# name of the group or command, and their own.

# Keys in the metadata of a field: typer's option, and the parameters of a field with several.
_OPTION, _SPREAD = "option", "spread"


@dataclass(frozen=True, slots=True)
class SpreadOptions:
    """A field with the values of settings; `help_of` gives each one's help, "" to leave it out."""

    help_of: Callable[[Setting], str]
    completions: Mapping[str, "Completion"]

    def field(self) -> Any:
        """Return the field of a group."""
        return field(default_factory=self.defaults, metadata={_SPREAD: self})

    def asked(self) -> list[Setting]:
        """Return the settings that are asked for."""
        return [each for each in SETTINGS.values() if self.help_of(each)]

    def parameters(self) -> Iterator[Parameter]:
        """Yield the parameters of the options."""
        for each in self.asked():
            complete = self.completions.get(each.name)
            option = setting_option(each.name, self.help_of(each), autocompletion=complete)
            kind: Any = list[each.kind] if each.repeats else each.kind
            kind = kind if each.default is not None else kind | None
            yield _parameter(each.name, Annotated[kind, option], each.default)

    def defaults(self) -> dict[str, Any]:
        """Return the value of each option where the user says nothing."""
        return {each.name: each.default for each in self.asked()}

    def take(self, values: dict[str, Any]) -> dict[str, Any]:
        """Take the values of the options out of those of a command."""
        return {each.name: values.pop(each.name) for each in self.asked()}


@dataclass(frozen=True, slots=True)
class MapOptions:
    """What a field with the name of a map is made of: `--map`, and `--no-map` for the boxes."""

    help: str
    heading: str

    def parameters(self) -> Iterator[Parameter]:
        """Yield the parameters of both options."""
        option = setting_option("floor_map", self.help, heading=self.heading)
        yield _parameter("floor_map", Annotated[str, option], SETTINGS["floor_map"].default)
        option = typer.Option("--no-map", help="`--map boxes`.", rich_help_panel=self.heading)
        yield _parameter("no_map", Annotated[bool, option], False)

    def take(self, values: dict[str, Any]) -> str:
        """Take the values of both options out of those of a command."""
        named = values.pop("floor_map")
        if not values.pop("no_map"):
            return named
        if named != SETTINGS["floor_map"].default:
            raise BadInput("--no-map does not go with --map", fix="leave one of them out")
        return "boxes"


def map_field(help: str = "", heading: str = SETTINGS["floor_map"].heading) -> Any:
    """Return a group's field that asks for a map, with another help text if one is given."""
    default = SETTINGS["floor_map"].default
    return field(default=default, metadata={_SPREAD: MapOptions(help, heading)})


def _parameter(name: str, annotation: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


@dataclass(frozen=True, slots=True)
class OptionField:
    """Declares fields of groups as options under one heading of `--help`."""

    heading: str

    def __call__(self, default: Value, *names: str, **how: Any) -> Value:
        """Return a field with a default; the rest is as `typer.Option` takes it."""
        option: Any = typer.Option(*names, rich_help_panel=self.heading, **how)
        return field(default=default, metadata={_OPTION: option})


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with words for its options, and the fields of groups in their place."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, given in signature(command).parameters.items():
        if name in groups:
            parameters.extend(_field_parameters(groups[name]))
        else:
            hint = hints[name]
            if hint is not typer.Context:
                hint = _with_words(command, name, hint, given.default)
            parameters.append(_parameter(name, hint, given.default))

    @wraps(command)
    def call(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{each.name: _take(each, values) for each in fields(group)})
        command(**values)

    about = help_words().get(command.__name__, {}).get("about", "")
    call.__doc__ = f"{command.__doc__}\n\n{about}"
    # Where typer looks for the parameters and their types.
    call.__signature__ = Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call


def _take(each: Field[Any], values: dict[str, Any]) -> Any:
    spread: SpreadOptions | MapOptions | None = each.metadata.get(_SPREAD)
    return values.pop(each.name) if spread is None else spread.take(values)


def _field_parameters(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for each in fields(group):
        if _SPREAD in each.metadata:
            yield from each.metadata[_SPREAD].parameters()
            continue
        default = Parameter.empty if each.default is MISSING else each.default
        hint = hints[each.name]
        if _OPTION in each.metadata:
            hint = Annotated[hint, each.metadata[_OPTION]]
        yield _parameter(each.name, _with_words(group, each.name, hint, default), default)


def _with_words(owner: Any, name: str, hint: Any, default: Any) -> Any:
    """Return a parameter's hint with an option, or an argument without a default, and its words."""
    if get_origin(hint) is not Annotated:
        hint = Annotated[hint, typer.Argument() if default is Parameter.empty else typer.Option()]
    kind, about = get_args(hint)
    if not (about.help or about.hidden):
        found, about = _words_of(owner, name), copy(about)  # groups share the fields of their base
        about.help, about.metavar = found["help"].strip(), found.get("value")
    return Annotated[kind, about]


def _words_of(owner: Any, name: str) -> Mapping[str, str]:
    """Return the words of a command's parameter, or of a group's or of its base's field."""
    for each in owner.mro() if isinstance(owner, type) else (owner,):
        if name in (found := help_words().get(each.__name__, {})):
            return found[name]
    raise KeyError(f"help.toml has no words for {owner.__name__}.{name}")


def words(name: str) -> dict[str, Any]:
    """Return the words that `help.toml` has for an option of several commands."""
    found = help_words()["shared"][name]
    return {"help": found["help"].strip(), "metavar": found.get("value")}


Completion = Callable[[str], list[str]]

# For each heading of `--help`: fields of groups, and annotations of parameters.
what_field, agents_field = OptionField("What to run"), OptionField("Agents")
world_field, output_field = OptionField("World"), OptionField("Output")
plain_field, model_field = OptionField("Options"), OptionField("Language model")
what_argument = partial(typer.Argument, rich_help_panel=what_field.heading)
_what_option = partial(typer.Option, rich_help_panel=what_field.heading)
_world_option = partial(typer.Option, rich_help_panel=world_field.heading)
_output_option = partial(typer.Option, rich_help_panel=output_field.heading)

GamesArgument = Annotated[list[str], what_argument(**words("games"))]
OptionalGamesArgument = Annotated[list[str] | None, what_argument(**words("optional_games"))]
TaskFoldersOption = Annotated[list[Path] | None, _what_option("--tasks", **words("task_folders"))]
OnlyPlansOption = Annotated[list[str] | None, _what_option(**words("only_plans"))]
WithoutPlansOption = Annotated[list[str] | None, _what_option(**words("without_plans"))]
PlansOption = Annotated[list[str] | None, _what_option("--plans", **words("plans"))]
RecordedGamesOption = Annotated[list[str] | None, _what_option("--games", **words("recorded"))]


def setting_option(
    name: str, help: str = "", *, autocompletion: Completion | None = None, heading: str = ""
) -> Any:
    """Return the option of a setting in the table, with another help text if one is given."""
    each = SETTINGS[name]
    return typer.Option(
        each.option,
        help=help or each.help,
        metavar=each.metavar,
        min=each.least,
        max=each.most,
        autocompletion=autocompletion,
        rich_help_panel=heading or each.heading,
    )


def setting_field(name: str) -> Any:
    """Return a group's field that asks for one setting of the table."""
    return field(default=SETTINGS[name].default, metadata={_OPTION: setting_option(name)})


PlannerOption = Annotated[str, setting_option("planner")]
RoomsFolderOption = Annotated[Path | None, typer.Option("--out", **words("rooms_folder"))]
ThorExecutableOption = Annotated[str | None, _world_option(**words("thor_executable"))]
ThorCommitOption = Annotated[str | None, _world_option(**words("thor_commit"))]
JsonOption = Annotated[bool, _output_option("--json", **words("json"))]
JsonLinesOption = Annotated[bool, _output_option("--json", **words("json_lines"))]
ForceOption = Annotated[bool, _output_option("--force", **words("force"))]
SaveFolderOption = Annotated[Path | None, _output_option(**words("save_folder"))]
WorkersOption = Annotated[int, _output_option(min=1, **words("workers"))]


# What a shell completes: names of tasks, rooms and agents.
#
# A shell waits for the answer at each press of the key, so these list folders and tables
# and import nothing of the world.

_PACKAGE = Path(__file__).parents[2]
_SHIPPED_TASKS, _SHIPPED_ROOMS = _PACKAGE / "tdl" / "tasks", _PACKAGE / "sim" / "rooms" / "data"


def complete_task(incomplete: str) -> list[str]:
    """Return the shipped tasks that begin so, with dashes for spaces: `clean-all-x`."""
    names = (path.stem.replace("_", "-") for path in _SHIPPED_TASKS.glob("*.json"))
    return _beginning_with(incomplete, names)


_SHIPPED_SCENES = [f"FloorPlan{100 * k + n}" for k in (0, 2, 3, 4) for n in range(1, 31)]


def complete_room(incomplete: str) -> list[str]:
    """Return the shipped rooms and the user's own that begin so."""
    from platformdirs import user_data_path

    folders = (_SHIPPED_ROOMS, user_data_path("tatc") / "rooms")
    names = {path.stem for folder in folders for path in folder.glob("*.json")}
    return _beginning_with(incomplete, names.union(_SHIPPED_SCENES))


def complete_split(incomplete: str) -> list[str]:
    """Return the splits that begin so."""
    from tatc.session.start import split_names

    return _beginning_with(incomplete, split_names())


def complete_commander(incomplete: str) -> list[str]:
    """Return the installed Commanders that begin so."""
    from tatc.session.agents.agent_names import commander_names

    return _beginning_with(incomplete, commander_names())


def complete_follower(incomplete: str) -> list[str]:
    """Return the installed Followers that begin so."""
    from tatc.session.agents.agent_names import follower_names

    return _beginning_with(incomplete, follower_names())


def _beginning_with(incomplete: str, names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name.lower().startswith(incomplete.lower()))
