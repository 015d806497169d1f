"""The table of object-type facts: complete, consistent, and the only one of its kind."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tatc.home import type_facts
from tatc.home.assets import known_object_types
from tatc.home.type_facts import CLASSES_BY_TYPE, KNOWN_OBJECT_CLASSES, KNOWN_OBJECT_TYPES
from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tatc.sim.embedded.slicing import slice_count
from tatc.sim.rooms.random_placement import receptacle_weights
from tests.object_factory import make_object

PACKAGE = Path(type_facts.__file__).parents[1]
CLASS_TABLES = {"CLASSES_BY_TYPE", "KNOWN_OBJECT_CLASSES"}
COLUMNS = {
    name: value
    for name, value in vars(type_facts).items()
    if name.isupper() and name[0] != "_" and not isinstance(value, int | float)
}
GENERATED_TYPES = known_object_types()


def _types_in(column: object) -> set[str]:
    """Return the names of types in a column: its keys, its members and its texts."""
    if isinstance(column, str):
        return {column}
    if isinstance(column, dict):
        return {*column, *_types_in(tuple(column.values()))}
    return set().union(*map(_types_in, column)) if isinstance(column, Iterable) else set()


@pytest.mark.parametrize("name", sorted(COLUMNS.keys() - {"PIECE_SUFFIXES", *CLASS_TABLES}))
def test_a_column_names_known_types_alone(name: str) -> None:
    found = _types_in(COLUMNS[name])
    assert found
    assert found <= KNOWN_OBJECT_TYPES


def test_every_type_of_the_generator_has_a_row_of_classes() -> None:
    assert set(GENERATED_TYPES) <= set(CLASSES_BY_TYPE)


def _where(able: str, other: str = "") -> set[str]:
    return {
        name
        for name, kind in GENERATED_TYPES.items()
        if getattr(kind.affordances, able) and (not other or getattr(kind.affordances, other))
    }


def test_whatever_can_be_sliced_has_a_piece_and_a_least_number_of_them() -> None:
    assert (
        _where("sliceable")
        == set(type_facts.PIECE_TYPE_BY_WHOLE)
        == set(type_facts.MIN_PIECES_BY_WHOLE)
    )
    assert set(type_facts.SLICE_TYPE_BY_WHOLE).isdisjoint(type_facts.CRACKED_TYPE_BY_WHOLE)
    for whole, piece in type_facts.PIECE_TYPE_BY_WHOLE.items():
        assert piece in {whole + suffix for suffix in type_facts.PIECE_SUFFIXES}
        assert CLASSES_BY_TYPE[piece] == CLASSES_BY_TYPE[whole]


@pytest.mark.parametrize("whole", type_facts.SLICE_TYPE_BY_WHOLE)
def test_no_whole_is_cut_into_fewer_pieces_than_the_table_promises(whole: str) -> None:
    kind, heels = GENERATED_TYPES[whole], whole == "Bread"
    sizes = [kind.small, kind.usual, kind.large, (0.05, 0.2, 0.3), (0.1, 0.05, 0.3)]
    fewest = min(slice_count(whole, size) - heels for size in sizes)
    assert fewest >= type_facts.MIN_PIECES_BY_WHOLE[whole]


def test_knives_are_what_teach_calls_knives() -> None:
    named = {name for name in KNOWN_OBJECT_TYPES if "Knife" in name}
    classed = {name for name, classes in CLASSES_BY_TYPE.items() if "Knives" in classes}
    assert set(type_facts.KNIFE_TYPES) == named == classed


def test_sinks_are_what_teach_calls_sinks_and_tubs() -> None:
    named = {name for name in KNOWN_OBJECT_TYPES if "Sink" in name or "Bathtub" in name}
    assert set(type_facts.SINK_TYPES) == named
    assert set(type_facts.BASIN_TYPES) == {name for name in named if name.endswith("Basin")}


def test_an_openable_receptacle_starts_either_closed_or_open() -> None:
    openable = _where("openable", "receptacle") - {"Toilet"}  # its lid keeps nothing in
    assert type_facts.STARTS_CLOSED_TYPES.isdisjoint(type_facts.STARTS_OPEN_TYPES)
    assert openable <= type_facts.STARTS_CLOSED_TYPES | type_facts.STARTS_OPEN_TYPES
    assert type_facts.MUST_BE_OPEN_TYPES <= openable


def test_doors_belong_to_what_starts_closed() -> None:
    assert type_facts.HINGED_DOOR_TYPES < type_facts.STARTS_CLOSED_TYPES
    assert set(type_facts.DOUBLE_DOOR_SWING_SHARES) < type_facts.HINGED_DOOR_TYPES
    assert type_facts.EITHER_HINGE_TYPES < type_facts.HINGED_DOOR_TYPES
    for kind, share in type_facts.DOUBLE_DOOR_SWING_SHARES.items():
        assert share < type_facts.DOOR_SWING_SHARES[kind] < 1.0


def test_what_takes_few_types_takes_things_that_can_be_carried() -> None:
    portable = _where("pickupable") | set(type_facts.WHOLE_TYPE_BY_PIECE)
    for host, accepted in type_facts.ACCEPTED_TYPES.items():
        assert GENERATED_TYPES[host].affordances.receptacle
        assert accepted <= portable


def test_the_generator_puts_nothing_where_the_world_refuses_it() -> None:
    for kind, weights in receptacle_weights().items():
        for host in weights.keys() & type_facts.ACCEPTED_TYPES.keys():
            assert kind in type_facts.ACCEPTED_TYPES[host]


@pytest.mark.parametrize("name", sorted(_where("receptacle")))
def test_every_receptacle_has_a_surface(name: str) -> None:
    kind = GENERATED_TYPES[name]
    typical = make_object(name, (0.0, 0.5, 0.0), kind.usual, affordances=kind.affordances)
    assert surfaces_of(typical)


def test_only_portable_things_lie_down_or_are_dishes() -> None:
    portable = _where("pickupable") | set(type_facts.WHOLE_TYPE_BY_PIECE) | {"WateringCan"}
    dishes = {"Bowl", "Pan", "Plate", "Pot"}
    assert portable >= type_facts.LYING_TYPES
    assert set(type_facts.DISH_FLOOR_METRES) == dishes < _where("pickupable", "receptacle")
    assert portable.isdisjoint(type_facts.FIXED_OBSTACLE_TYPES)


@cache
def _nodes() -> list[tuple[str, ast.AST]]:
    """Return the comparisons and collections that the package spells out, with their places."""
    return [
        (f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}", node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Compare | ast.Dict | ast.Set | ast.List | ast.Tuple)
    ]


def _collections_of_text() -> Iterator[tuple[str, list[str]]]:
    """Yield the words of each set, list and tuple of texts, and of each dictionary's keys."""
    for where, node in _nodes():
        members = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        texts = [m.value for m in members if isinstance(m, ast.Constant)]
        yield where, [word for text in texts if isinstance(text, str) for word in text.split()]


def test_no_table_in_the_package_names_an_unknown_type() -> None:
    known = KNOWN_OBJECT_CLASSES | {"None"}
    strange = [
        f"{where}: {name}"
        for where, names in _collections_of_text()
        if len(known.intersection(names)) * 2 > len(names)
        for name in sorted(set(names) - known)
    ]
    assert strange == []


def test_no_other_module_has_a_set_of_the_table_again() -> None:
    columns = {
        frozenset(column): name
        for name, column in COLUMNS.items()
        if isinstance(column, frozenset | tuple) and len(column) > 1 and name != "PIECE_SUFFIXES"
    }
    again = [
        f"{where}: {columns[frozenset(names)]}"
        for where, names in _collections_of_text()
        if frozenset(names) in columns and not where.startswith("home/type_facts.py:")
    ]
    assert again == []


def test_rules_of_types_are_not_made_of_parts_of_their_names() -> None:
    parts = {"Sliced", "Cracked", "Knife", "Basin", "illed"}
    asked = [
        where
        for where, node in _nodes()
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.In | ast.NotIn)
        and isinstance(node.left, ast.Constant)
        and node.left.value in parts
    ]
    assert asked == []
