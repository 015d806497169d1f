"""Options that go together, as one value of a dataclass in a command's signature.

A group is a frozen dataclass whose fields are annotated as typer's parameters are:

    @dataclass(frozen=True, slots=True)
    class WorldOptions:
        noise: Annotated[float, typer.Option(help="...")] = 0.0

    @with_option_groups
    def run(world: WorldOptions) -> None: ...

typer sees a command with the option `--noise`; the function gets a `WorldOptions`.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


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
            own = {field.name: values.pop(field.name) for field in fields(group)}
            values[name] = group(**own)
        command(**values)

    # Where typer looks for the parameters and their types.
    call.__signature__ = Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call


def _field_parameters(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(
            field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
        )
