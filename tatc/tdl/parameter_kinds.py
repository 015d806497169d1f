"""Infers the kinds of parameters from where a definition uses them."""

from collections.abc import Iterable, Iterator

from tatc.home.types.facts import PIECE_SUFFIXES
from tatc.tdl.definition import AtomicComponent, Component, ParameterKind

_KIND_BY_PROPERTY = {
    "objectType": ParameterKind.TYPE,
    "simbotObjectClass": ParameterKind.CLASS,
    "parentReceptacles": ParameterKind.CLASS,
}
_KIND_PRECEDENCE = (
    ParameterKind.COUNT,
    ParameterKind.TYPE,
    ParameterKind.CLASS,
    ParameterKind.FLAG,
)


def infer_parameter_kinds(
    components: Iterable[tuple[str, Component]], parameter_count: int
) -> tuple[ParameterKind, ...]:
    """Return the kind of each parameter; one used only in texts is a word."""
    found: dict[str, set[ParameterKind]] = {}
    for _, component in components:
        for macro, kind in _macro_uses(component):
            found.setdefault(macro, set()).add(kind)
    return tuple(
        next(
            (kind for kind in _KIND_PRECEDENCE if kind in found.get(f"#{k}", ())),
            ParameterKind.WORD,
        )
        for k in range(parameter_count)
    )


def _macro_uses(component: Component) -> Iterator[tuple[str, ParameterKind]]:
    """Yield the macros of a component, each with the kind of what it stands for."""
    yield str(component.determiner), ParameterKind.COUNT
    if isinstance(component, AtomicComponent):
        for name, want in component.conditions:
            if isinstance(want, str):
                macro = want
                for suffix in PIECE_SUFFIXES:
                    macro = macro.removesuffix(suffix)
                yield macro, _KIND_BY_PROPERTY.get(name, ParameterKind.FLAG)
        return
    for macro, parameter in zip(component.params, component.task.parameters, strict=True):
        yield macro, parameter.kind
