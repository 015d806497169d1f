"""Which format a file is exported in, and a session in words."""

from pathlib import Path

import pytest

from tatc.apps.export import ExportFormat, export_format_of
from tatc.apps.export.text_transcript import transcript
from tatc.base.errors import BadInput, UnknownName
from tatc.home.actions import Role
from tatc.session.timeline import Timeline


@pytest.mark.parametrize("wanted", ExportFormat)
def test_the_suffix_chooses_the_format(wanted: ExportFormat):
    assert export_format_of(Path(f"film.{wanted.value}")) is wanted
    assert export_format_of(Path(f"film.{wanted.value.upper()}")) is wanted
    assert export_format_of(Path("film.gif"), wanted.value) is wanted, "a named format wins"


def test_unknown_formats_and_suffixes_are_refused_with_a_choice():
    with pytest.raises(UnknownName, match="gif"):
        export_format_of(Path("film.gif"), "giff")
    with pytest.raises(BadInput, match=r"'\.avi'.*--format: gif, mp4"):
        export_format_of(Path("film.avi"))


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
    done = [moment.interaction for moment in timeline.moments[1 : first + 1]]
    count = sum(each is not None and each.role is Role.COMMANDER for each in done)
    assert f"Commander {count} actions" in text
    assert transcript(timeline, 0, len(timeline.moments) - 1) == transcript(timeline)
