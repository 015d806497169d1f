"""What stands in the way of a goal, case by case, and that the pair gets over it.

The cases are those that people's sessions show: each is a little kitchen in which one
thing is in an awkward place or state.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tatc.commander.oracle import PDDL_POLICY
from tatc.home.actions import Verb
from tatc.home.state import Box, ObjectState, Scene, Snapshot
from tatc.session.records import SessionEnd
from tests.commander.test_policies import play
from tests.sim.box_kitchen import kitchen, make_object, with_parents

StartChange = Callable[[dict[str, ObjectState]], list[ObjectState]]
"""Makes the things that differ, from the little kitchen's one thing of each type."""


def _scene(change: StartChange | None) -> Scene:
    scene = kitchen()
    start = scene.initial
    by_type = {each.objectType: each for each in start.objects}
    changed = {each.objectId: each for each in (change(by_type) if change else ())}
    old = [changed.pop(each.objectId, each) for each in start.objects]
    objects = [*old, *changed.values()]
    return replace(scene, initial=Snapshot.from_objects(objects, start.commander, start.follower))


def _moved_to(it: ObjectState, x: float, low: float, z: float) -> ObjectState:
    """Return a thing with the middle of its lower side here."""
    center = (x, low + it.box.size[1] / 2, z)
    return replace(it, box=replace(it.box, center=center), position=center)


def _mug_in_fridge(it: dict[str, ObjectState]) -> list[ObjectState]:
    return [with_parents(_moved_to(it["Mug"], -0.95, 0.75, -0.45), it["Fridge"])]


def _full_drawer(it: dict[str, ObjectState]) -> list[ObjectState]:
    book = make_object("Book", (0.5, 0.66, 0.75), (0.34, 0.06, 0.34))
    able = replace(it["Mug"].affordances, receptacle=False, canFillWithLiquid=False)
    salt = with_parents(_moved_to(it["SaltShaker"], 0.2, 0.82, -1.2), it["DiningTable"])
    return [with_parents(replace(book, affordances=able), it["Drawer"]), salt]


def _too_small_drawer(it: dict[str, ObjectState]) -> list[ObjectState]:
    return [make_object("Drawer", (0.05, 0.64, 0.75), (0.12, 0.16, 0.12))]


def _full_sink(it: dict[str, ObjectState]) -> list[ObjectState]:
    pot = _moved_to(it["Pot"], -0.5, 0.76, 0.85)
    wide = replace(pot, box=replace(pot.box, size=(0.42, 0.14, 0.36)))
    return [with_parents(wide, it["SinkBasin"])]


def _too_large_pot(it: dict[str, ObjectState]) -> list[ObjectState]:
    return [replace(it["Pot"], box=replace(it["Pot"].box, size=(0.6, 0.14, 0.6)))]


def _tomato_in_hand(it: dict[str, ObjectState]) -> list[ObjectState]:
    taken = replace(it["Tomato"], isPickedUp=True, parentReceptacles=())
    return [_moved_to(taken, 0.0, 1.4, 0.4)]


def _food_on_plate(it: dict[str, ObjectState]) -> list[ObjectState]:
    x, _, z = it["Plate"].box.center
    return [with_parents(_moved_to(it["Tomato"], x, 0.92, z), it["Plate"], it["CounterTop"])]


def _cup_on_small_plate(it: dict[str, ObjectState]) -> list[ObjectState]:
    """Put a cup on a plate of a known asset, so that no slice fits beside it."""
    plate, (x, _, z) = it["Plate"], it["Plate"].box.center
    box = Box((x, 0.9 + 0.0556, z), (0.2068, 0.1112, 0.2105))
    cup = replace(it["Cup"], box=replace(it["Cup"].box, size=(0.14, 0.12, 0.14)))
    plate = replace(plate, mass=0.62, box=box)
    return [plate, with_parents(_moved_to(cup, x, 0.93, z), plate)]


def _mug_in_bowl(it: dict[str, ObjectState]) -> list[ObjectState]:
    x, _, z = it["Bowl"].box.center
    return [with_parents(_moved_to(it["Mug"], x, 0.91, z), it["Bowl"])]


def _mug_out_of_reach(it: dict[str, ObjectState]) -> list[ObjectState]:
    other = make_object("Mug", (0.3, 0.82, -1.1), (0.1, 0.1, 0.1))
    return [_moved_to(it["Mug"], 2.8, 0.0, 2.8), with_parents(other, it["DiningTable"])]


def _mug_behind_object(it: dict[str, ObjectState]) -> list[ObjectState]:
    x, low, z = -0.02, 0.9, 1.05
    front = make_object("WineBottle", (x, low, z - 0.13), (0.3, 0.4, 0.08))
    front = replace(front, affordances=it["Knife"].affordances)
    return [_moved_to(it["Mug"], x, low, z), with_parents(front, it["CounterTop"])]


@pytest.mark.parametrize(
    ("task", "params", "change"),
    [
        pytest.param("Coffee", "", _mug_in_fridge, id="closed in"),
        pytest.param("Put All X On Y", "SaltShaker in Drawer", _full_drawer, id="receptacle full"),
        pytest.param("Put All X On Y", "Bowl in Drawer", _too_small_drawer, id="too small"),
        pytest.param("Clean X", "Plate", _full_sink, id="sink full"),
        pytest.param("Boil X", "Potato", _too_large_pot, id="pot does not fit"),
        pytest.param("Coffee", "", _tomato_in_hand, id="hand full"),
        pytest.param("Sliced X", "Tomato", _tomato_in_hand, id="knife wanted, hand full"),
        pytest.param("Coffee", "", _mug_in_bowl, id="inside another"),
        pytest.param("Coffee", "", _mug_behind_object, id="behind another"),
        pytest.param("Coffee", "", _mug_out_of_reach, id="out of reach"),
        pytest.param("N Slices Of X In Y", "3 Tomato on Plate", None, id="slice among slices"),
        pytest.param("Clean X", "Plate", _food_on_plate, id="food on a dirty plate"),
    ],
)
def test_agents_succeed_from_difficult_start(
    task: str, params: str, change: StartChange | None
) -> None:
    result = play(_scene(change), task, *params.split())
    assert result.end is SessionEnd.SUCCESS, result.decisions[-1:]


def test_door_blocked_by_body_is_opened_from_elsewhere() -> None:
    scene = kitchen()
    start = scene.initial
    near = replace(start.follower, position=(-0.5, 0.9, -0.5), yaw=270.0)
    moved = Snapshot.from_objects(start.objects, start.commander, near)
    result = play(replace(scene, initial=moved), "Put All X On Y", "Mug", "in", "Fridge")
    assert result.end is SessionEnd.SUCCESS
    opened = [done for done in result.interactions if done.verb is Verb.OPEN]
    assert opened and opened[-1].success


def test_what_the_task_does_not_name_is_taken_off_a_full_plate() -> None:
    """Policies do so by themselves, before anything has been refused."""
    wanted = ("2", "Tomato", "on", "Plate")
    result = play(_scene(_cup_on_small_plate), "N Slices Of X In Y", *wanted)
    assert result.end is SessionEnd.SUCCESS
    assert all(done.success for done in result.interactions if done.verb is Verb.PLACE)
    assert not any(each.policy == PDDL_POLICY for each in result.decisions)
