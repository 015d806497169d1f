"""What a parameter's value is, seen from where a definition uses it."""

from collections.abc import Iterable, Iterator

from tatc.tdl.definition import Atomic, Component, Kind

_BY_PROPERTY = {"objectType": Kind.TYPE, "simbotObjectClass": Kind.CLASS}
_STRONGEST = (Kind.COUNT, Kind.TYPE, Kind.CLASS, Kind.FLAG)


def infer_kinds(
    components: Iterable[tuple[str, Component]], number: int
) -> tuple[Kind, ...]:
    """Return the kind of each parameter; one that only words use is a word."""
    found: dict[str, set[Kind]] = {}
    for _, component in components:
        for macro, kind in _uses(component):
            found.setdefault(macro, set()).add(kind)
    return tuple(
        next((kind for kind in _STRONGEST if kind in found.get(f"#{k}", ())), Kind.WORD)
        for k in range(number)
    )


def _uses(component: Component) -> Iterator[tuple[str, Kind]]:
    """Yield macros as they stand in a component, with what each stands for."""
    yield str(component.determiner), Kind.COUNT
    if isinstance(component, Atomic):
        for name, want in component.conditions:
            if isinstance(want, str):
                macro = want.removesuffix("Sliced").removesuffix("Cracked")
                yield macro, _BY_PROPERTY.get(name, Kind.FLAG)
        return
    for macro, parameter in zip(
        component.params, component.task.parameters, strict=True
    ):
        yield macro, parameter.kind
