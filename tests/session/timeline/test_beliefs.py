"""Beliefs: noted as they are held, found again in records, compared with the world, edited."""

from dataclasses import replace

import pytest

from tatc.base.errors import BadInput
from tatc.follower.listener.belief import GoalSource
from tatc.follower.listener.follower import ListenerFollower
from tatc.home.actions import Action, Role, Verb
from tatc.home.observation import Observation
from tatc.home.state import Snapshot
from tatc.language.understanding.understand import goal_in_words
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import record_bytes
from tatc.session.timeline import GoalEdit, LiveSession, Moment, Timeline
from tatc.session.timeline.belief_summary import (
    BeliefInWorld,
    BeliefPlacer,
    DifferenceKind,
    find_differences,
    summarize_belief,
)
from tatc.session.timeline.moment import last_belief
from tatc.session.timeline.timeline import with_beliefs
from tests.session.timeline.listening_session import SETUP, listening_session, listening_start


@pytest.fixture(scope="module")
def replayed() -> Timeline:
    return with_beliefs(Timeline.of(listening_session().record()))


def placed_at(moments: "list[Moment] | tuple[Moment, ...]", at: int) -> BeliefInWorld:
    found = BeliefPlacer(moments[0].snapshot.follower).place_last(moments, at)
    assert found is not None
    return found


def acting_moments(moments: "list[Moment] | tuple[Moment, ...]") -> list[int]:
    """Return the moments after which the Follower did or said something."""
    return [
        each.index - 1
        for each in moments
        if each.interaction is not None and each.interaction.role is Role.FOLLOWER
    ]


def test_a_belief_is_noted_wherever_the_follower_acts():
    moments = listening_session().moments
    held = [each.index for each in moments if each.belief is not None]
    assert held[:-1] == acting_moments(moments)
    assert held[-1] == len(moments) - 1  # from there it stops
    first, last = moments[0].belief, moments[-1].belief
    assert first is not None and first.goal is None and first.end
    assert last is not None and last.goal is not None
    assert last.goal.source is GoalSource.UNDERSTOOD and last.goal.task.name == "Coffee"
    assert last.utterances_left < first.utterances_left <= 3 and len(last.said) == 2


def test_the_next_steps_are_those_that_follow():
    moments = listening_session().moments
    for at in acting_moments(moments):
        belief, done = moments[at].belief, moments[at + 1].interaction
        assert belief is not None and done is not None
        if done.verb is not Verb.TEXT:
            assert belief.next_steps[0].verb is done.verb


def test_a_record_holds_no_belief_and_gives_it_back(replayed: Timeline):
    live = listening_session()
    assert b"belief" not in record_bytes(live.record())
    assert [each.belief for each in replayed.moments] == [each.belief for each in live.moments]


def test_beliefs_end_where_the_follower_would_act_otherwise():
    record = listening_session().record()
    motions = [i for i, each in enumerate(record.interactions) if each.verb is Verb.TURN_LEFT]
    other = replace(record.interactions[motions[0]], verb=Verb.TURN_RIGHT)
    changed = (*record.interactions[: motions[0]], other, *record.interactions[motions[0] + 1 :])
    moments = with_beliefs(Timeline.of(replace(record, interactions=changed))).moments
    assert all(each.belief is None for each in moments[motions[0] :])
    found = last_belief(moments, len(moments) - 1)
    assert found is not None and found[0] == motions[0] - 1


def test_other_followers_have_no_belief():
    live = LiveSession(listening_start(), SessionSetup())
    live.run_to(5)
    timeline = with_beliefs(live.timeline)
    assert all(each.belief is None for each in timeline.moments)
    assert not live.shows_belief
    with pytest.raises(BadInput, match="no goal to edit"):
        live.set_goal(goal_in_words("make coffee"))


def test_a_follower_that_crashes_now_leaves_the_session_to_be_shown(
    replayed: Timeline, monkeypatch: pytest.MonkeyPatch
):
    act = ListenerFollower.act
    calls: list[Observation] = []

    def act_thrice(self: ListenerFollower, observation: Observation) -> Action:
        calls.append(observation)
        return 1 / 0 if len(calls) > 3 else act(self, observation)  # type: ignore[return-value]

    monkeypatch.setattr(ListenerFollower, "act", act_thrice)
    moments = with_beliefs(Timeline.of(listening_session().record())).moments
    assert len(moments) == len(replayed.moments)
    assert [each.index for each in moments if each.belief is not None] == [0, 2, 3]


def test_a_record_with_options_that_do_not_fit_is_shown_without_beliefs():
    record = listening_session().record()
    options = tuple((k, "rule" if k == "follower" else v) for k, v in record.options)
    assert "questions" in dict(options)  # which the rule Follower does not take
    moments = with_beliefs(Timeline.of(replace(record, options=options))).moments
    assert all(each.belief is None for each in moments)


def test_what_it_believes_stands_where_it_is_in_the_world():
    moments = listening_session().moments
    placed = placed_at(moments, len(moments) - 1)
    seen = [obj for obj in placed.snapshot.objects if obj.objectType not in ("Floor", "Wall")]
    assert len(seen) > 30
    for obj in seen:
        true = placed.world.get(obj.objectId)
        assert true is not None and true.box.center == pytest.approx(obj.box.center, abs=0.05)
    assert placed.snapshot.follower.position == pytest.approx(placed.world.follower.position)
    assert placed.snapshot.follower.yaw == placed.world.follower.yaw


def test_belief_and_world_differ_in_what_was_not_seen_alone():
    moments = listening_session().moments
    start, end = (find_differences(placed_at(moments, at)) for at in (0, len(moments) - 1))
    assert {each.kind for each in (*start, *end)} == {DifferenceKind.UNSEEN}
    assert len(end) < len(start)


def test_what_changed_unseen_is_believed_wrongly():
    moments = listening_session().moments
    placed = placed_at(moments, len(moments) - 1)
    changed = replace(placed, world=_with(placed.world, "SinkBasin", isDirty=True))
    [wrong] = (each for each in find_differences(changed) if each.kind is DifferenceKind.WRONG)
    assert wrong.text == "SinkBasin: is dirty"
    gone = _without(placed.world, "CoffeeMachine")
    ghost = BeliefPlacer(moments[0].snapshot.follower).place_last(
        [*moments[:-1], replace(moments[-1], snapshot=gone)], len(moments) - 1
    )
    assert ghost is not None
    [absent] = (e for e in find_differences(ghost) if e.kind is DifferenceKind.NOT_THERE)
    assert absent.text == "CoffeeMachine: it thinks there is one; there is none"


def _with(world: Snapshot, kind: str, **values: bool) -> Snapshot:
    objects = [replace(o, **values) if o.objectType == kind else o for o in world.objects]
    return replace(world, objects=tuple(objects))


def _without(world: Snapshot, kind: str) -> Snapshot:
    objects = [obj for obj in world.objects if obj.objectType != kind]
    return Snapshot.from_objects(objects, world.commander, world.follower)


def test_a_summary_tells_goal_evidence_and_plan():
    moments = listening_session().moments
    at = next(m.index for m in moments if m.interaction and m.interaction.verb is Verb.PLACE)
    found = summarize_belief(placed_at(moments, at))
    assert found.goal is not None and found.goal.task == "Coffee"
    assert found.goal.lines == ("coffee in 1 clean mug",)
    assert found.goal.evidence and all(words in '"some coffee"' for _, words in found.goal.evidence)
    assert found.goal.met < found.goal.total
    assert found.done == ("look for mug",) and found.doing == "wash the mug"
    assert found.to_do == ("Rinse this mug clean. (Mug 2)", "Fill this mug with coffee. (Mug 2)")


def test_a_goal_that_was_set_is_done_and_replayed():
    live = LiveSession(listening_start(), SETUP)
    live.run_to(6)
    live.set_goal(goal_in_words("clean two mugs"))
    live.run_to(14)
    belief = last_belief(live.moments, 14)
    assert belief is not None and belief[1].goal is not None
    assert belief[1].goal.source is GoalSource.EDITED
    assert live.moments[14].interaction != listening_session().moments[14].interaction
    [edit] = live.manual_actions
    assert isinstance(edit, GoalEdit) and edit.at == 6
    again = live.replay_to(14)
    assert [m.interaction for m in again.moments] == [m.interaction for m in live.moments]
    assert dict(live.record().options)["by_hand"] == 1
