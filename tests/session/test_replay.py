"""A record's actions done again: where the first difference is found."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tatc.home.actions import Action, ActionResult, Click, Role, Verb
from tatc.home.state import Snapshot
from tatc.session.records import Interaction, Record, logged_pose
from tatc.session.session_record import replay_record
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.session.records.sample_record import sample_record


@pytest.fixture
def done() -> Record:
    """Return the record of a step and a click that were really tried."""
    made, sim = sample_record(), EmbeddedSimulator()
    sim.reset(made.scene)
    walk = sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    pose = logged_pose(sim.snapshot().follower)
    click = Click(0.5, 0.5)
    tried = sim.step(Role.FOLLOWER, Action(Verb.OPEN, click))
    log = (
        Interaction(Role.FOLLOWER, Verb.TEXT, 0.1, True, text="Turning."),
        Interaction(Role.FOLLOWER, Verb.TURN_LEFT, 0.2, walk.success, pose=pose),
        Interaction(Role.FOLLOWER, Verb.OPEN, 0.3, tried.success, click=click),
    )
    assert (walk.success, tried.success) == (True, False)
    return replace(made, interactions=log, final=sim.capture(), decisions=())


def _altered(made: Record, index: int, **changes: object) -> Record:
    log = list(made.interactions)
    log[index] = replace(log[index], **changes)
    return replace(made, interactions=tuple(log))


def test_the_same_comes_out_whatever_is_said(done: Record) -> None:
    for said in ("Turning.", "Other words."):
        again = replay_record(_altered(done, 0, text=said), EmbeddedSimulator())
        assert (again.is_same, again.action_count) == (True, 2)


@pytest.mark.parametrize(
    ("index", "changes", "what"),
    [
        (1, {"success": False}, "Turn Left succeeds now"),
        (1, {"pose": (0.0,) * 6}, "Turn Left leads to the pose"),
        (1, {"pose": (-9.0,) * 6}, "Turn Left leads to the pose"),
        (2, {"success": True}, "Open fails"),
        (2, {"object_id": "Fridge|1"}, "Open acts on None, not Fridge|1"),
    ],
)
def test_the_first_other_result_is_named(
    done: Record, index: int, changes: dict[str, object], what: str
) -> None:
    again = replay_record(_altered(done, index, **changes), EmbeddedSimulator())
    assert again.difference is not None
    assert again.difference.index == index
    assert again.difference.description.startswith(what)
    assert again.action_count == index


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            lambda end: replace(end, follower=replace(end.follower, yaw=90.0)),
            "the Follower ends at",
        ),
        (lambda end: replace(end, objects=end.objects[:-1]), "4 objects at the end"),
        (lambda end: replace(end, objects=(*end.objects, end.objects[0])), "4 objects at the end"),
        (
            lambda end: replace(end, objects=(replace(end.objects[0], mass=9.0), *end.objects[1:])),
            "Floor|+00.00|-00.01|+00.00: mass is 0.5 at the end, not 9.0",
        ),
    ],
)
def test_another_end_is_named(
    done: Record, change: Callable[[Snapshot], Snapshot], what: str
) -> None:
    again = replay_record(replace(done, final=change(done.final)), EmbeddedSimulator())
    assert again.difference is not None
    assert again.difference.index is None
    assert again.difference.description.startswith(what)


def test_what_is_equal_in_another_object_is_the_same(done: Record) -> None:
    acted = replace(done.interactions[2], object_id="Mug|1", success=True)
    result = ActionResult(True, object_id="".join(["Mug", "|1"]))
    sim: Any = SimpleNamespace(
        reset=lambda scene: None, step=lambda role, action: result, capture=lambda: done.final
    )
    assert replay_record(replace(done, interactions=(acted,)), sim).is_same
