"""Which format a file is exported in, a session in words, and as a recording of Rerun's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tatc.apps.export import ExportFormat, export_format_of, rrd
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


def _rerun(home: Path, *words: object) -> str:
    """Run Rerun's own tool, which leaves settings in the home that it is given."""
    line = [sys.executable, "-m", "rerun", "rrd", *map(str, words)]
    kept = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
    env = kept | {"HOME": str(home)}
    done = subprocess.run(line, env=env, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def test_a_recording_holds_what_was_seen_said_and_done(timeline: Timeline, tmp_path: Path):
    pytest.importorskip("rerun", reason="needs the extra: rerun")
    path = tmp_path / "coffee.rrd"
    path.write_bytes(rrd.encode_rrd(timeline, range(12), 96))
    assert "without error" in _rerun(tmp_path, "verify", path)
    held = _rerun(tmp_path, "print", "-vv", path)
    views = ("follower/view", "commander/view")
    for entity in ("world/objects", "world/follower", *views, "dialogue", "actions"):
        assert f"/{entity}" in held
    assert held.count("component: ViewBlueprint:class_identi") == 6, "a blueprint of six views"
    assert "goals/met" in held and "step" in held
