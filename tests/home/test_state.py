"""Copies of objects, and what is kept of a function of a room's objects."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields, replace
from functools import partial
from random import Random

import pytest

from tatc.home.state import ObjectState, kept_by_shape, parts_of
from tatc.sim.rooms import load_room, start_state
from tests.object_factory import make_object


def test_a_copy_has_the_new_values_and_all_others_and_cannot_be_changed():
    mug = make_object("Mug", (0.0, 1.0, 0.0), (0.1, 0.1, 0.1))
    copy = mug.with_values(isDirty=True, ObjectTemperature="Hot")
    assert type(copy) is ObjectState and not mug.isDirty
    assert copy == replace(mug, isDirty=True, ObjectTemperature="Hot")
    same = {each.name for each in fields(mug)} - {"isDirty", "ObjectTemperature"}
    assert all(getattr(copy, name) is getattr(mug, name) for name in same)
    with pytest.raises(FrozenInstanceError):
        copy.isDirty = False
    with pytest.raises(AttributeError):
        mug.with_values(isPurple=True)


def test_what_is_kept_is_found_again_by_shape_alone():
    asked = []

    @kept_by_shape
    def count(objects):
        asked.append(len(objects))
        return len(objects)

    mug = make_object("Mug", (0.0, 1.0, 0.0), (0.1, 0.1, 0.1))
    cup = make_object("Cup", (1.0, 1.0, 0.0), (0.1, 0.1, 0.1))
    objects = [mug]
    assert count(objects) == count((mug.with_values(isDirty=True),)) == 1 and asked == [1]
    objects.append(cup)  # a list that has changed is not what it was
    assert count(objects) == count((mug, cup)) == 2 and asked == [1, 2]
    assert count((mug, cup.with_values(isOpen=True))) == 2 and asked == [1, 2, 2]


def test_only_the_last_results_are_kept_also_for_objects_that_end_alike():
    asked = []

    @partial(kept_by_shape, count=2)
    def first_x(objects, scale):
        asked.append(objects[0].box.center[0])
        return objects[0].box.center[0] * scale

    last = make_object("Cup", (9.0, 1.0, 0.0), (0.1, 0.1, 0.1))
    rooms = [(make_object("Mug", (x, 1.0, 0.0), (0.1, 0.1, 0.1)), last) for x in (1.0, 2.0, 3.0)]
    assert [first_x(room, 2) for room in (*rooms, *rooms[1:])] == [2.0, 4.0, 6.0, 4.0, 6.0]
    assert asked == [1.0, 2.0, 3.0]
    assert first_x(rooms[2], 3) == 9.0 and first_x(rooms[0], 2) == 2.0
    assert asked == [1.0, 2.0, 3.0, 3.0, 1.0]


def test_threads_may_ask_for_what_is_kept_at_once():
    @partial(kept_by_shape, count=16)
    def first_x(objects):
        return objects[0].box.center[0]

    mugs = [make_object("Mug", (x, 1.0, 0.0), (0.1, 0.1, 0.1)) for x in range(60)]

    def ask(seed):
        for mug in Random(seed).choices(mugs, k=1500):
            alike = mug.with_values(objectId="Mug", box=replace(mug.box))  # one hash for all
            if first_x((mug, alike)) != mug.position[0]:
                return False
        return True

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # seconds
    try:
        with ThreadPoolExecutor(8) as threads:
            assert all(threads.map(ask, range(8)))
    finally:
        sys.setswitchinterval(before)


def test_all_starts_of_a_room_share_its_fixtures():
    room = load_room("kitchen-05")
    one, other = (start_state(room, seed).initial.objects for seed in (1, 2))
    parts, same = parts_of(one), parts_of(other)
    assert parts.fixtures is same.fixtures
    assert [one[i].objectId for i in parts.indices] == [o.objectId for o in parts.fixtures]
    assert all(
        (o, low, high) == (one[i], *one[i].box.bounds()) for i, o, low, high in parts.portables
    )
    assert len(parts.fixtures) + len(parts.portables) == len(one)
    opened = (one[0].with_values(isOpen=True), *one[1:])
    assert parts_of(opened).fixtures is not parts.fixtures
