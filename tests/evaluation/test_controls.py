"""Negative controls have the fault they are named for, and fail of it."""

import pytest

from tatc.actions import Role, Verb
from tatc.commander import RuleCommander
from tatc.evaluation.controls import SHIFT, NeverOpens, Shifted, Straight
from tatc.follower import RuleFollower
from tatc.language import Stretch, hear
from tatc.opening import Opening, open_room
from tatc.session import SessionResult, run_session
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import shipped_library

Made = type[RuleCommander] | type[NeverOpens] | type[Shifted] | type[Straight]


def _opening(seed: int, task: str = "Coffee") -> Opening:
    return open_room("kitchen-01", shipped_library(), task, (), seed)


def _run(opening: Opening, commander: Made) -> SessionResult:
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
    right, wrong = (
        _clicks(_run(opening, RuleCommander)),
        _clicks(_run(opening, Shifted)),
    )
    assert len(right) == len(wrong) > 0
    for (x, y), (off_x, off_y) in zip(right, wrong, strict=True):
        assert abs(abs(off_x - x) - SHIFT) < 0.011
        assert abs(abs(off_y - y) - SHIFT) < 0.011


@pytest.mark.parametrize("commander", [NeverOpens, Shifted, Straight])
def test_each_comes_to_a_named_end(commander: Made) -> None:
    result = _run(_opening(3), commander)
    assert result.end
    assert len(result.decisions) > 0


def test_never_opens_opens_nothing() -> None:
    for seed in range(1, 6):
        opening = _opening(seed, "Put All X On Y")
        done = _run(opening, NeverOpens).interactions
        assert not any(each.verb is Verb.OPEN for each in done)


def test_shifted_clicks_fail_where_right_ones_do_not() -> None:
    seeds = range(1, 7)
    right = sum(_run(_opening(seed), RuleCommander).success for seed in seeds)
    wrong = sum(_run(_opening(seed), Shifted).success for seed in seeds)
    assert wrong < right
