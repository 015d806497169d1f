"""A session as a Rerun recording that Rerun's own tools accept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tatc.apps.export import rrd
from tatc.session.timeline import Timeline

pytest.importorskip("rerun", reason="needs the extra: rerun")


def _rerun(home: Path, *words: object) -> str:
    """Run Rerun's own tool, which leaves settings in the home that it is given."""
    line = [sys.executable, "-m", "rerun", "rrd", *map(str, words)]
    kept = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
    env = kept | {"HOME": str(home)}
    done = subprocess.run(line, env=env, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def test_a_recording_holds_what_was_seen_said_and_done(timeline: Timeline, tmp_path: Path):
    path = tmp_path / "coffee.rrd"
    path.write_bytes(rrd.encode_rrd(timeline, range(12), 96))
    assert "without error" in _rerun(tmp_path, "verify", path)
    held = _rerun(tmp_path, "print", "-vv", path)
    for entity in ("world/objects", "world/follower", "follower/view", "dialogue", "actions"):
        assert f"/{entity}" in held
    assert "goals/met" in held and "step" in held
