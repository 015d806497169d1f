"""The examples run as a user would run them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.generated_trajectories import generate

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, *arguments: str, folder: Path) -> str:
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments],
        cwd=folder,
        env=os.environ | home | {"PYTHONPATH": str(EXAMPLES.parent), "PATH": scripts},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_learning_to_follow_earns_more_than_before(tmp_path: Path):
    pytest.importorskip("gymnasium", reason="needs the extra: gym")
    told = run("learn_to_follow.py", folder=tmp_path)
    before, after = (
        float(line.split(": ")[1].split()[0])
        for line in told.splitlines()
        if line.startswith(("before", "after"))
    )
    assert "Pickup = Pickup" in told and "ToggleOn = ToggleOn" in told
    assert before < after


def test_learning_tools_fulfils_more_goal_conditions(tmp_path: Path):
    pytest.importorskip("gymnasium", reason="needs the extra: gym")
    told = run("learn_tools.py", "--episodes", "2", "--tests", "1", folder=tmp_path)
    before, after = (
        float(line.split(": ")[1].split()[0])
        for line in told.splitlines()
        if line.startswith(("before", "after"))
    )
    assert "Open = open" in told and "Pickup = pick_up" in told
    assert before < after


def test_a_script_for_ai2thor_makes_coffee_on_our_world(tmp_path: Path):
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    told = run("coffee_with_ai2thor.py", "--scene", "FloorPlan3", folder=tmp_path)
    said = [line.split()[0] for line in told.splitlines()]
    assert said[:3] == ["PickupObject", "PutObject", "ToggleObjectOn"]
    assert "the mug holds coffee" in told
    with Image.open(tmp_path / "coffee.png") as frame:
        assert frame.size == (300, 300)
        assert len(frame.getcolors(300 * 300) or ()) > 10


def test_a_model_for_alfreds_loop_follows_an_expert(tmp_path: Path):
    [path] = generate(tmp_path / "set", "simple", 1)
    told = run("follow_an_expert.py", str(path), folder=tmp_path)
    assert ": solved in " in told and "1 of 1 goal conditions" in told
