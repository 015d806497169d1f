"""Options that go together, as one value of a dataclass in a command's signature.

A group is a frozen dataclass.  Its fields are `OptionField`s, or annotated as typer's
parameters are:

    @dataclass(frozen=True, slots=True)
    class WorldOptions:
        noise: float = world_field(0.0, min=0, max=1, help="...")
        floor_map: MapOption = "boxes"

    @with_option_groups
    def run(world: WorldOptions) -> None: ...

typer sees a command with the option `--noise`; the function gets a `WorldOptions`.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

Value = TypeVar("Value")

_OPTION = "option"  # the key of typer's option in the metadata of a field


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
            own = {each.name: values.pop(each.name) for each in fields(group)}
            values[name] = group(**own)
        command(**values)

    # Where typer looks for the parameters and their types.
    call.__signature__ = Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call


def _field_parameters(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for each in fields(group):
        hint = hints[each.name]
        if _OPTION in each.metadata:
            hint = Annotated[hint, each.metadata[_OPTION]]
        default = Parameter.empty if each.default is MISSING else each.default
        yield Parameter(each.name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)
