"""The world beside recorded sessions: loading them, and what people did in them."""

from dataclasses import fields, replace

import pytest

from tatc.home.actions import INTERACTION_VERBS, Action, Role
from tatc.home.state import AgentState, ObjectState
from tatc.session.records import Game
from tatc.session.records.record import Interaction
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.recorded_clicks import HELD_OUT_FLOOR_PLANS

CHANGED_BY_CAPTURE = {"simbotObjectClass", "controlledObjects"}


@pytest.fixture(scope="module")
def games(half_of_the_games: list[Game]) -> list[Game]:
    names = {f"FloorPlan{number}" for number in HELD_OUT_FLOOR_PLANS}
    return [game for game in half_of_the_games if game.scene.place not in names]


def test_a_recorded_start_is_taken_over_and_every_knob_has_a_burner(games: list[Game]):
    kept = [f.name for f in fields(ObjectState) if f.name not in CHANGED_BY_CAPTURE]
    for game in games:
        start = EmbeddedSimulator().reset(game.scene)
        assert start.follower == game.scene.initial.follower
        for before, after in zip(game.scene.initial.objects, start.objects, strict=True):
            different = {n for n in kept if getattr(before, n) != getattr(after, n)}
            # A running tap, machine or stove acts at the capture.
            assert different <= {
                "isDirty",
                "isFilledWithLiquid",
                "simbotIsCooked",
                "simbotIsFilledWithCoffee",
                "simbotIsFilledWithWater",
            }
        for knob in start.of_type("StoveKnob"):
            assert knob.controlledObjects
            for burner in knob.controlledObjects:
                obj = start.get(burner)
                assert obj is not None
                assert "Hot" in obj.ObjectTemperature or not knob.isToggled


def test_what_people_did_can_be_done(games: list[Game]):
    done = [result for game in games for result in _replayed(game)]
    assert len(done) > 250
    assert sum(done) >= 0.95 * len(done)


def _replayed(game: Game) -> list[bool]:
    """Replay what succeeded, from the poses in the log, on the recorded objects."""
    sim = EmbeddedSimulator()
    sim.reset(game.scene)
    results: list[bool] = []
    for step in game.interactions:
        if step.role is not Role.FOLLOWER or not step.success:
            continue
        if step.pose is not None:
            sim.restore(replace(sim.snapshot(), follower=_body(step)))
        elif step.verb in INTERACTION_VERBS:
            target = _present(sim, step)
            action = Action(step.verb, step.click)
            results.append(sim.step_on_object(Role.FOLLOWER, action, target).success)
    return results


def _body(step: Interaction) -> AgentState:
    assert step.pose is not None
    z, minus_x, y, _, horizon, minus_yaw = step.pose
    return AgentState((-minus_x, y, z), -minus_yaw % 360.0, horizon)


def _present(sim: EmbeddedSimulator, step: Interaction) -> str | None:
    """Return the recorded object, or another slice where there are fewer here."""
    name = step.object_id or ""
    now = sim.snapshot()
    if now.get(name) is not None:
        return name
    whole = name.rsplit("|", 1)[0]
    others = [o.objectId for o in now.objects if o.objectId.startswith(f"{whole}|")]
    return others[-1] if others else None
