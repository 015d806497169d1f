"""A session in words: all that was said and done, and what came of it."""

from tatc.apps.export.text_transcript import transcript
from tatc.home.actions import Role
from tatc.session.timeline import Timeline


def test_all_that_was_said_stands_under_its_speaker_in_order(timeline: Timeline):
    text = transcript(timeline)
    at = 0
    for moment in timeline.moments:
        if moment.utterance is not None and moment.interaction is not None:
            name = "Commander" if moment.interaction.role is Role.COMMANDER else "Follower"
            line = f"{name:<11}{moment.utterance}\n"
            at = text.index(line, at) + len(line)


def test_failures_come_with_their_reason_and_goals_as_they_are_met(timeline: Timeline):
    text = transcript(timeline)
    for moment in timeline.moments:
        if moment.failed and moment.interaction is not None:
            assert f"           x {moment.interaction.verb}" in text
            assert moment.result is not None
            assert moment.result.hint or moment.result.message
            assert (moment.result.hint or moment.result.message) in text
    assert "[3 of 3 goal conditions met]" in text
    assert "Success: 3 of 3 goal conditions\n" in text
    assert f"Goal: {timeline.moments[0].progress.description}\n" in text


def test_a_part_tells_its_steps_alone_and_what_is_missing(timeline: Timeline):
    first = next(m.index for m in timeline.moments if m.interaction and m.is_primitive)
    text = transcript(timeline, 0, first)
    assert "So far: " in text and "Success" not in text and "  not met: " in text
    assert f"Commander {_count(timeline, Role.COMMANDER, first)} actions" in text
    assert transcript(timeline, 0, len(timeline.moments) - 1) == transcript(timeline)


def _count(timeline: Timeline, role: Role, last: int) -> int:
    done = (moment.interaction for moment in timeline.moments[1 : last + 1])
    return sum(each is not None and each.role is role for each in done)
