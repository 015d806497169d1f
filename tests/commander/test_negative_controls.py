"""Negative controls have the fault they are named for, and fail of it."""

from dataclasses import replace

import pytest

from tatc.commander import RuleCommander
from tatc.commander.negative_controls import (
    CLICK_SHIFT_FRACTION,
    IgnoresObstacles,
    NeverOpens,
    ShiftedClicks,
)
from tatc.follower import RuleFollower
from tatc.home.actions import (
    GRID_SIZE_METRES,
    TRANSLATION_VERBS,
    TURN_VERBS,
    Action,
    ActionResult,
    Role,
    Verb,
)
from tatc.home.state import yaw_sin_cos
from tatc.language import Stretch, hear
from tatc.session.loop import run_session
from tatc.session.session_types import SessionResult
from tatc.session.start import SessionStart, start_from_room_name
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library

CommanderClass = (
    type[RuleCommander] | type[NeverOpens] | type[ShiftedClicks] | type[IgnoresObstacles]
)


def _opening(seed: int, task: str = "Coffee") -> SessionStart:
    return start_from_room_name("kitchen-01", shipped_library(), task, (), seed)


def _run(opening: SessionStart, commander: CommanderClass) -> SessionResult:
    sim = EmbeddedSimulator()
    return run_session(sim, opening.scene, opening.task, commander(), RuleFollower())


def _clicks(result: SessionResult) -> list[tuple[float, float]]:
    """Return the clicks of the first stretch that has any."""
    for done in result.interactions:
        if done.verb is Verb.TEXT and done.role is Role.COMMANDER:
            message = hear(done.text)
            if isinstance(message, Stretch):
                found = [(s.click.x, s.click.y) for s in message.steps if s.click]
                if found:
                    return found
    return []


def test_shifted_says_every_click_shifted() -> None:
    opening = _opening(1)
    right, wrong = (_clicks(_run(opening, RuleCommander)), _clicks(_run(opening, ShiftedClicks)))
    assert len(right) == len(wrong) > 0
    for (x, y), (off_x, off_y) in zip(right, wrong, strict=True):
        assert abs(abs(off_x - x) - CLICK_SHIFT_FRACTION) < 0.011
        assert abs(abs(off_y - y) - CLICK_SHIFT_FRACTION) < 0.011


@pytest.mark.parametrize("commander", [NeverOpens, ShiftedClicks])
def test_each_comes_to_a_named_end(commander: CommanderClass) -> None:
    result = _run(_opening(3), commander)
    assert result.end
    assert len(result.decisions) > 0


def test_never_opens_opens_nothing() -> None:
    for seed in (1, 2):
        opening = _opening(seed, "Put All X On Y")
        done = _run(opening, NeverOpens).interactions
        assert not any(each.verb is Verb.OPEN for each in done)


_YAW_OF_MOTION = {
    Verb.FORWARD: 0.0,
    Verb.PAN_RIGHT: 90.0,
    Verb.BACKWARD: 180.0,
    Verb.PAN_LEFT: 270.0,
}


class _NoCollisionSimulator(EmbeddedSimulator):
    """A world that lets bodies walk through everything."""

    def step(self, role: Role, action: Action) -> ActionResult:
        result = super().step(role, action)
        if result.success or role is not Role.FOLLOWER:
            return result
        body = self.snapshot().follower
        if action.verb in _YAW_OF_MOTION:
            sine, cosine = yaw_sin_cos((body.yaw + _YAW_OF_MOTION[action.verb]) % 360.0)
            x, y, z = body.position
            body = replace(
                body, position=(x + GRID_SIZE_METRES * sine, y, z + GRID_SIZE_METRES * cosine)
            )
        elif action.verb in TURN_VERBS:
            turn = 90.0 if action.verb is Verb.TURN_RIGHT else -90.0
            body = replace(body, yaw=(body.yaw + turn) % 360.0)
        else:
            return result
        self.restore(replace(self.snapshot(), follower=body))
        return replace(result, success=True, message="")


def test_straight_succeeds_only_where_bodies_pass_through_furniture() -> None:
    opening = _opening(1)
    forgiving = run_session(
        _NoCollisionSimulator(), opening.scene, opening.task, IgnoresObstacles(), RuleFollower()
    )
    assert forgiving.success
    refused = _run(opening, IgnoresObstacles)
    assert refused.end and not refused.success
    assert any(done.verb in TRANSLATION_VERBS and not done.success for done in refused.interactions)


def test_shifted_clicks_fail_where_right_ones_do_not() -> None:
    seeds = range(1, 4)
    right = sum(_run(_opening(seed), RuleCommander).success for seed in seeds)
    wrong = sum(_run(_opening(seed), ShiftedClicks).success for seed in seeds)
    assert wrong < right
