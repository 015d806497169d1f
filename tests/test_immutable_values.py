"""What records, scores, sessions and tasks hand on cannot be changed by who receives it."""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from importlib import import_module
from pkgutil import iter_modules

import pytest

from tatc.home.state import ObjectIndex
from tests.object_factory import PORTABLE, make_object

COLLECTED_IN_A_CHECK = {"AtomicOutcome", "RelationOutcome", "RelationProblem", "TaskOutcome"}
FOLDERS = (
    "tatc.planners",
    "tatc.session.records",
    "tatc.evaluation.scoring",
    "tatc.session",
    "tatc.tdl",
)


def _classes() -> Iterator[type]:
    for folder in map(import_module, FOLDERS):
        for name in sorted(each.name for each in iter_modules(folder.__path__)):
            module = import_module(f"{folder.__name__}.{name}")
            for kind in vars(module).values():
                if isinstance(kind, type) and kind.__module__ == module.__name__:
                    yield kind


def _value_types() -> list[type]:
    found = {f"{kind.__module__}.{kind.__qualname__}": kind for kind in _classes()}
    found = {name: kind for name, kind in found.items() if is_dataclass(kind)}
    return [
        found[name] for name in sorted(found) if found[name].__name__ not in COLLECTED_IN_A_CHECK
    ]


VALUE_TYPES = _value_types()


def test_there_are_values() -> None:
    assert len(VALUE_TYPES) > 40


def test_a_class_with_fields_and_no_constructor_of_its_own_is_a_value() -> None:
    for kind in _classes():
        assert "__init__" in vars(kind) or is_dataclass(kind) or not kind.__annotations__


@pytest.mark.parametrize("kind", VALUE_TYPES, ids=lambda kind: kind.__qualname__)
def test_a_value_cannot_be_changed(kind: type) -> None:
    value = object.__new__(kind)
    for name in (fields(kind)[0].name, "another_name"):
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(value, name, None)


def test_object_with_other_values_is_what_dataclasses_make_of_it() -> None:
    mug = make_object("Mug", (1, 0.9, 1), (0.1, 0.1, 0.1), affordances=PORTABLE)
    changed = mug.with_values(isDirty=True, parentReceptacles=("Sink|1",))
    assert changed == replace(mug, isDirty=True, parentReceptacles=("Sink|1",))
    assert changed.box is mug.box and not mug.isDirty
    with pytest.raises(AttributeError):
        mug.with_values(isdirty=True)


def test_index_with_an_added_object_is_that_of_all_objects() -> None:
    kinds = ("Mug", "Knife", "Mug", "Bread")
    objects = [make_object(kind, (i, 0.9, 1), (0.1, 0.1, 0.1)) for i, kind in enumerate(kinds)]
    for count in range(1, len(objects)):
        index = ObjectIndex.from_objects(objects[:count]).with_added(objects[count], count)
        assert index == ObjectIndex.from_objects(objects[: count + 1])
