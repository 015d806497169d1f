"""Saved and recorded sessions as moments: nothing lost, departures named."""

from dataclasses import replace
from pathlib import Path

import pytest

from tatc.base.errors import GameFormatError
from tatc.home.actions import TRANSLATION_VERBS, Role, Verb
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import prepare, run_from_start
from tatc.session.records import Record, write_record
from tatc.session.session_record import make_record
from tatc.session.session_types import SessionEvent
from tatc.session.timeline import Timeline
from tests.session.timeline.listening_session import listening_start


def _record(noise: float = 0.0) -> tuple[Record, list[SessionEvent]]:
    events: list[SessionEvent] = []
    opening, setup = listening_start(), SessionSetup(noise=noise)
    result, recorded_map = run_from_start(opening, prepare(setup), watch=events.append)
    return make_record(opening, result, recorded_map, setup), events


@pytest.fixture(scope="module")
def coffee() -> Record:
    return _record()[0]


@pytest.fixture(scope="module")
def timeline(coffee: Record) -> Timeline:
    return Timeline.of(coffee)


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_a_record_comes_out_as_it_went(noise: float):
    record, events = _record(noise=noise)
    timeline = Timeline.of(record)
    first, *rest = timeline.moments
    assert first.interaction is None and first.snapshot == record.scene.initial
    assert tuple(m.interaction for m in rest) == record.interactions
    assert [m.result for m in rest] == [event.result for event in events]
    assert not timeline.divergences
    assert timeline.moments[-1].snapshot.objects == record.final.objects
    assert timeline.end is record.end


def test_progress_is_that_of_each_moment(timeline: Timeline):
    for moment in timeline.moments:
        assert moment.progress == timeline.task.check(moment.snapshot)


def test_moments_share_what_has_not_changed(timeline: Timeline):
    moments = timeline.moments
    objects = {id(t) for m in moments for t in m.snapshot.objects}
    assert len(objects) < 2 * len(moments) + len(moments[0].snapshot.objects)


def test_the_decision_is_the_last_that_was_said(coffee: Record, timeline: Timeline):
    for moment in timeline.moments:
        before = [d for d in coffee.decisions if d.step < moment.index]
        assert moment.decision == (before[-1] if before else None)


def test_another_answer_is_named_and_the_record_goes_on(coffee: Record):
    log = list(coffee.interactions)
    at = next(i for i, done in enumerate(log) if done.verb is Verb.PICKUP)
    log[at] = replace(log[at], success=False, object_id=None)
    moments = Timeline.of(replace(coffee, interactions=tuple(log))).moments
    told = moments[at + 1]
    assert told.divergence == "succeeds here; the record says it failed"
    assert told.snapshot.held_object() is None
    assert moments[at].divergence == ""


def test_a_body_is_put_where_the_record_says(coffee: Record):
    log = list(coffee.interactions)
    at = next(
        i
        for i, done in enumerate(log)
        if done.role is Role.FOLLOWER and done.verb in TRANSLATION_VERBS
    )
    pose = log[at].pose
    assert pose is not None
    log[at] = replace(log[at], pose=(pose[0] + 0.5, *pose[1:]))
    moment = Timeline.of(replace(coffee, interactions=tuple(log))).moments[at + 1]
    assert moment.divergence == "the Follower ends at another pose"
    assert moment.snapshot.follower.position[2] == pytest.approx(pose[0] + 0.5)


def test_a_record_of_an_unknown_task_is_refused(coffee: Record, tmp_path: Path):
    path = tmp_path / "own.game.json"
    definition = {**coffee.definition, "task_name": "Sing"}
    write_record(replace(coffee, definition=definition), path)
    with pytest.raises(GameFormatError, match=r"unknown task 'Sing'.*--tasks DIR"):
        Timeline.of(path)


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("noise", 5, "is impossible: 5"),
        ("noise", "much", "should be a number, is 'much'"),
        ("perception", "smells", "should be one of truth, masks, is 'smells'"),
        ("tool_calls", "never", "should be one of auto, "),
    ],
)
def test_impossible_options_of_a_record_are_named(
    coffee: Record, option: str, value: str | int, why: str
):
    options = dict(coffee.options) | {option: value}
    with pytest.raises(GameFormatError) as caught:
        Timeline.of(replace(coffee, options=tuple(options.items())))
    assert f"tatc.options.{option}: {why}" in str(caught.value)


def test_recorded_games_are_followed(sample_games: list[Path]):
    for path in sample_games[:3]:
        timeline = Timeline.of(path)
        asked = sum(moment.is_primitive for moment in timeline.moments)
        assert timeline.end is None
        assert len(timeline.divergences) < asked / 3
