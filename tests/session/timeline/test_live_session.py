"""Sessions that go on: by agents, by hand, and over again."""

import pytest

from tatc.home.actions import Action, Role, Verb
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import SessionEnd
from tatc.session.timeline import LiveSession, Timeline, remaining_steps_at
from tests.session.timeline.listening_session import listening_start


def _live() -> LiveSession:
    return LiveSession(listening_start(), SessionSetup())


@pytest.fixture(scope="module")
def whole() -> LiveSession:
    live = _live()
    live.run_to(10_000)
    return live


def test_a_session_goes_on_to_its_end(whole: LiveSession):
    assert whole.end is SessionEnd.SUCCESS
    assert whole.moments[-1].progress.success
    assert not whole.step()
    replayed = Timeline.of(whole.record())
    assert replayed.moments == whole.timeline.moments


def test_the_same_session_over_again_is_the_same(whole: LiveSession):
    half = len(whole.moments) // 2
    again = whole.replay_to(half)
    assert again.moments == whole.moments[: half + 1]
    assert again.end is None


def test_a_deed_by_hand_is_done_again(whole: LiveSession):
    live = _live()
    live.run_to(4)
    live.act_by_hand(Role.FOLLOWER, Action(Verb.LOOK_UP))
    live.run_to(10_000)
    assert live.moments[5].by_hand and not live.moments[6].by_hand
    assert live.moments[:5] == whole.moments[:5]
    assert live.moments[5].snapshot != whole.moments[5].snapshot
    assert live.replay_to(10_000).moments == live.moments
    assert dict(live.record().options)["by_hand"] == 1


def test_what_no_agent_could_do_leaves_no_moment():
    live = _live()
    live.run_to(4)
    live.act_by_hand(Role.FOLLOWER, Action(Verb.PICKUP))
    assert len(live.moments) == 5
    assert not any(moment.by_hand for moment in live.moments)


def test_words_by_hand_are_answered_by_the_other():
    live = _live()
    live.run_to(1)
    live.act_by_hand(Role.COMMANDER, Action(Verb.TEXT, text="TurnLeft TurnLeft"))
    live.run_to(4)
    done = [m.interaction for m in live.moments[2:]]
    verbs = [each.verb for each in done if each is not None]
    assert verbs == [Verb.TEXT, Verb.TURN_LEFT, Verb.TURN_LEFT]


def test_agents_take_up_what_others_began(whole: LiveSession):
    live = LiveSession.continue_from(whole.timeline, 30)
    assert live.moments == whole.moments[:31]
    live.run_to(10_000)
    assert live.end is SessionEnd.SUCCESS
    times = [m.interaction.time for m in live.moments if m.interaction is not None]
    assert times == sorted(times)
    assert Timeline.of(live.record()).moments == live.timeline.moments


def test_what_is_ahead_is_what_is_then_done(whole: LiveSession):
    moments = whole.moments
    for at in range(len(moments)):
        left = remaining_steps_at(moments, at)
        for n, step in enumerate(left.steps, 1):
            moment = moments[at + n]
            assert moment.interaction is not None
            assert moment.interaction.verb is step.verb
            if moment.failed:
                break
            assert moment.snapshot.follower.pose == left.poses[n]
