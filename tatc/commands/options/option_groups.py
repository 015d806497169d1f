"""Options that go together, as one value of a dataclass in a command's signature.

A group is a frozen dataclass.  Its fields are `OptionField`s, or annotated as typer's
parameters are:

    @dataclass(frozen=True, slots=True)
    class WorldOptions:
        noise: float = world_field(0.0, min=0, max=1, help="...")
        floor_map: MapOption = "boxes"

    @with_option_groups
    def run(world: WorldOptions) -> None: ...

typer sees a command with the option `--noise`; the function gets a `WorldOptions`.  A field made by
`SpreadOptions` stands for several options, such as all settings of agents, and is a mapping.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from tatc.base.deprecated import deprecation_notice
from tatc.commands.text.output import remark

Value = TypeVar("Value")

# Keys in the metadata of a field: typer's option, and the parameters of a field with several.
_OPTION, _SPREAD = "option", "spread"


@dataclass(frozen=True, slots=True)
class SpreadOptions:
    """What a field of several options is made of: a mapping from their names to their values.

    `old_names` has the name of each parameter that stands for another, which warns when it is
    given.
    """

    parameters: Callable[[], Iterable[Parameter]]
    old_names: Callable[[], Mapping[str, str]]

    def field(self) -> Any:
        """Return the field of a group."""
        return field(default_factory=self.defaults, metadata={_SPREAD: self})

    def defaults(self) -> dict[str, Any]:
        """Return the value of each option where the user says nothing."""
        old = self.old_names()
        return {each.name: each.default for each in self.parameters() if each.name not in old}

    def take(self, values: dict[str, Any]) -> dict[str, Any]:
        """Take the values of the options out of those of a command."""
        found = {each.name: values.pop(each.name) for each in self.parameters()}
        for old, name in self.old_names().items():
            found[name] = value_of_renamed(name, found[name], old, found.pop(old))
        return found


def old_option(name: str) -> Any:
    """Return a hidden option, which `--NAME` of before has become."""
    return typer.Option(f"--{name}", hidden=True)


def value_of_renamed(name: str, value: Value, old: str, old_value: Value) -> Value:
    """Return the value of an option, or that of its old name; that warns on stderr."""
    if old_value is None:
        return value
    notice = deprecation_notice(f"--{old}", since="0.2", remove_in="0.4", use=f"--{name}")
    remark(f"warning: {notice}")
    return old_value if value is None else value


@dataclass(frozen=True, slots=True)
class OptionField:
    """Declares fields of groups as options under one heading of `--help`."""

    heading: str

    def __call__(
        self,
        default: Value,
        *names: str,
        help: str,
        metavar: str | None = None,
        min: float | None = None,
        max: float | None = None,
        autocompletion: Callable[[str], list[str]] | None = None,
    ) -> Value:
        """Return a field with a default; the rest is as `typer.Option` takes it."""
        option: Any = typer.Option(
            *names,
            help=help,
            metavar=metavar,
            min=min,
            max=max,
            autocompletion=autocompletion,
            rich_help_panel=self.heading,
        )
        return field(default=default, metadata={_OPTION: option})


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the fields of each group in place of the group."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, given in signature(command).parameters.items():
        if name in groups:
            parameters.extend(_field_parameters(groups[name]))
        else:
            kind, hint = Parameter.KEYWORD_ONLY, hints[name]
            parameters.append(Parameter(name, kind, default=given.default, annotation=hint))

    @wraps(command)
    def call(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{each.name: _take(each, values) for each in fields(group)})
        command(**values)

    # Where typer looks for the parameters and their types.
    call.__signature__ = Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call


def _take(each: Field[Any], values: dict[str, Any]) -> Any:
    """Take the value of a field out of those that a command was given."""
    spread: SpreadOptions | None = each.metadata.get(_SPREAD)
    return values.pop(each.name) if spread is None else spread.take(values)


def _field_parameters(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for each in fields(group):
        if _SPREAD in each.metadata:
            yield from each.metadata[_SPREAD].parameters()
            continue
        hint = hints[each.name]
        if _OPTION in each.metadata:
            hint = Annotated[hint, each.metadata[_OPTION]]
        default = Parameter.empty if each.default is MISSING else each.default
        yield Parameter(each.name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)
