"""What a task still needs to find: objects that the semantic map does not hold yet."""

from collections.abc import Iterator
from functools import cache
from itertools import chain

from tatc.home.assets import known_object_types
from tatc.home.state import ObjectState, Snapshot
from tatc.home.type_facts import (
    BOILING_HEAT_TYPES,
    BOILING_VESSEL_TYPES,
    BURNER_TYPE,
    CLASSES_BY_TYPE,
    COOKING_VESSEL_TYPES,
    KNIFE_TYPES,
    KNOB_TYPE,
    SINK_TYPES,
    SLICE_TYPE_BY_WHOLE,
    TOASTED_TYPES,
    WHOLE_TYPE_BY_PIECE,
)
from tatc.tdl import ProblemKey, Progress, Task
from tatc.tdl.check_tree import determiner_count
from tatc.tdl.definition import AtomicComponent, Component, TaskDefinition
from tatc.tdl.properties import (
    IMMUTABLE_PROPERTIES,
    compile_property_test,
    object_classes_of,
    types_matching,
)

Types = frozenset[str]
_Options = tuple[tuple[Types, ...], ...]  # any one, of which one object of each set is needed
_MICROWAVE = (frozenset({"Microwave"}),)
_STOVE = (frozenset({BURNER_TYPE}), frozenset({KNOB_TYPE}))
_WATER = (frozenset(SINK_TYPES), frozenset({"Faucet"}))
_KNIFE: _Options = ((frozenset(KNIFE_TYPES),),)
_BOILING_TOOLS = dict(zip(BOILING_HEAT_TYPES, (_STOVE, _MICROWAVE), strict=True))


def missing_types(task: Task, progress: Progress, snapshot: Snapshot) -> Types:
    """Return the types that a task needs and nobody has seen; of alternatives, all of them."""
    found = (*_missing_objects(task.definition, snapshot), *_missing_tools(progress, snapshot))
    return frozenset[str]().union(*found)


def types_wanted_all(task: Task) -> Types:
    """Return the types of which the task wants all objects, wherever they are."""
    atomic = (each for each, _ in _atomic_components(task.definition, 1))
    return frozenset[str]().union(*(_types_of(each) for each in atomic if each.determiner == "all"))


def _atomic_components(
    definition: TaskDefinition, times: int
) -> Iterator[tuple[AtomicComponent, int]]:
    for key, component in definition.components:
        count = determiner_count(component.determiner, definition)
        if not count or _is_only_a_knife(key, component, definition):
            continue
        if isinstance(component, AtomicComponent):
            shared = component.is_shareable or component.determiner == "all"
            yield component, 1 if shared else times * count
        else:
            yield from _atomic_components(component.task, times * count)


def _is_only_a_knife(key: str, component: Component, definition: TaskDefinition) -> bool:
    """Return whether a component only names a knife to cut with, which `_missing_objects` finds."""
    if not isinstance(component, AtomicComponent) or not _types_of(component) <= set(KNIFE_TYPES):
        return False
    placed = {name for each in definition.relations for name in (each.tail, *dict(each.heads))}
    return len(component.conditions) == 1 and key != definition.anchor and key not in placed


def _missing_objects(definition: TaskDefinition, snapshot: Snapshot) -> Iterator[Types]:
    for atomic, count in _atomic_components(definition, 1):
        types = _types_of(atomic)
        wholes = frozenset(WHOLE_TYPE_BY_PIECE[t] for t in types if t in WHOLE_TYPE_BY_PIECE)
        fitting = sum(_can_serve(obj, atomic, snapshot) for obj in _all_of(types, snapshot))
        if fitting >= count or not types:
            continue
        if not wholes:
            yield types
            continue
        uncut = [obj for obj in _all_of(wholes, snapshot) if not obj.isSliced]
        if not uncut:
            yield types | wholes
        if not _all_of(frozenset(KNIFE_TYPES), snapshot):
            yield frozenset(KNIFE_TYPES)


def _can_serve(obj: ObjectState, atomic: AtomicComponent, snapshot: Snapshot) -> bool:
    """Return whether an object has what a component wants and nothing can change."""
    lasting = (each for each in atomic.conditions if each[0] in IMMUTABLE_PROPERTIES)
    return not obj.isSliced and all(compile_property_test(*each)(obj, snapshot) for each in lasting)


def _missing_tools(progress: Progress, snapshot: Snapshot) -> Iterator[Types]:
    for key in progress.problem_keys():
        obj = snapshot.get(key.object_id)
        for options in () if obj is None else _tools_for(key, obj):
            missing = [
                [types for types in option if not _all_of(types, snapshot)] for option in options
            ]
            if all(missing):
                yield from chain.from_iterable(missing)


def _tools_for(key: ProblemKey, obj: ObjectState) -> tuple[_Options, ...]:
    """Return what a problem key needs: of each thing, the options."""
    match key.property_name:
        case "isDirty":
            return ((_WATER,),) if obj.isDirty and not key.desired else ()
        case "objectType":
            return (_KNIFE,)
        case "isCooked" | "simbotIsCooked":
            if SLICE_TYPE_BY_WHOLE.get(obj.objectType, obj.objectType) in TOASTED_TYPES:
                return (((frozenset({"Toaster"}),),),)
            return ((_MICROWAVE, (frozenset(COOKING_VESSEL_TYPES), *_STOVE)),)
        case "simbotIsBoiled":
            pairs = zip(BOILING_VESSEL_TYPES, BOILING_HEAT_TYPES, strict=True)
            heated = ((frozenset({vessel}), *_BOILING_TOOLS[heat]) for vessel, heat in pairs)
            return (_WATER,), tuple(heated)
        case "simbotIsFilledWithCoffee":
            machine: _Options = ((frozenset({"CoffeeMachine"}),),)
            return (machine, (_WATER,)) if obj.isDirty or obj.isFilledWithLiquid else (machine,)
        case "isFilledWithLiquid" | "simbotIsFilledWithWater":
            is_portable = not key.desired or obj.affordances.pickupable
            return ((_WATER,),) if is_portable else ((_WATER,), ((_vessel_types(),),))
        case _:
            return ()


@cache
def _vessel_types() -> Types:
    """Return the types in which water can be carried."""
    able = {kind: usual.affordances for kind, usual in known_object_types().items()}
    return frozenset(k for k, each in able.items() if each.canFillWithLiquid and each.pickupable)


def _all_of(types: Types, snapshot: Snapshot) -> tuple[ObjectState, ...]:
    return snapshot.of_type(*sorted(types))


def _types_of(atomic: AtomicComponent) -> Types:
    """Return the types of the objects that a component is about."""
    wanted = atomic.primary_value
    if not isinstance(wanted, str):
        return frozenset()
    if atomic.primary_property == "objectType":
        return frozenset(types_matching(wanted))
    if atomic.primary_property == "simbotObjectClass":
        return frozenset(kind for kind in CLASSES_BY_TYPE if wanted in object_classes_of(kind))
    return frozenset()
