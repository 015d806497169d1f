"""Negative controls have the fault they are named for, and fail of it."""

from dataclasses import replace

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
from tatc.session.session_types import SessionLimits, SessionResult
from tatc.session.start import start_from_room_name
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library


def _run(
    seed: int,
    commander: type[RuleCommander],
    task: str = "Coffee",
    sim: type[EmbeddedSimulator] = EmbeddedSimulator,
) -> SessionResult:
    start = start_from_room_name("kitchen-01", shipped_library(), task, (), seed)
    limits = SessionLimits(failures=15)
    return run_session(sim(), start.scene, start.task, commander(), RuleFollower(), limits=limits)


def _clicks(result: SessionResult) -> list[tuple[float, float]]:
    """Return the clicks of the first stretch that has any."""
    said = (hear(done.text) for done in result.interactions if done.role is Role.COMMANDER)
    stretches = (message for message in said if isinstance(message, Stretch))
    clicks = ([(s.click.x, s.click.y) for s in each.steps if s.click] for each in stretches)
    return next(filter(None, clicks), [])


def test_shifted_clicks_are_all_shifted_and_fail_where_right_ones_do_not() -> None:
    right, wrong = ([_run(s, c) for s in (2, 3)] for c in (RuleCommander, ShiftedClicks))
    meant, said = _clicks(right[0]), _clicks(wrong[0])
    assert len(meant) == len(said) > 0
    for (x, y), (off_x, off_y) in zip(meant, said, strict=True):
        assert abs(abs(off_x - x) - CLICK_SHIFT_FRACTION) < 0.011
        assert abs(abs(off_y - y) - CLICK_SHIFT_FRACTION) < 0.011
    assert sum(each.success for each in wrong) < sum(each.success for each in right)
    assert all(each.end and each.decisions for each in wrong)


def test_never_opens_opens_nothing_and_comes_to_an_end() -> None:
    for seed in (1, 2):
        result = _run(seed, NeverOpens, "Put All X On Y")
        assert result.end and result.decisions
        assert not any(each.verb is Verb.OPEN for each in result.interactions)


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
    assert _run(5, IgnoresObstacles, sim=_NoCollisionSimulator).success
    refused = _run(5, IgnoresObstacles)
    assert refused.end and not refused.success
    assert any(done.verb in TRANSLATION_VERBS and not done.success for done in refused.interactions)
