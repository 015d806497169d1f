"""The examples, and the notebook for beginners, run as a user would run them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.generated_trajectories import generate

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
EXECUTE = """
import sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.get("outputs", ()):
        print(output.get("text", ""), end="")
        print(*output.get("data", ()), sep="\\n")
"""


def run(*words: str | Path, folder: Path) -> str:
    """Run Python with these words in a folder that is its home too; return what it prints."""
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | home | {"PYTHONPATH": str(ROOT), "PATH": scripts},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("words", "learnt"),
    [
        (["learn_to_follow.py"], ["Pickup = Pickup", "ToggleOn = ToggleOn"]),
        (["learn_tools.py", "--episodes=3", "--tests=3"], ["Open = open", "Pickup = pick_up"]),
    ],
)
def test_what_is_learnt_earns_more_than_before(words: list[str], learnt: list[str], tmp_path: Path):
    pytest.importorskip("gymnasium", reason="needs the extra: gym")
    told = run(EXAMPLES / words[0], *words[1:], folder=tmp_path)
    before, after = (
        float(line.split(": ")[1].split()[0])
        for line in told.splitlines()
        if line.startswith(("before", "after"))
    )
    assert all(each in told for each in learnt)
    assert before < after


def test_a_script_for_ai2thor_makes_coffee_on_our_world(tmp_path: Path):
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    told = run(EXAMPLES / "coffee_with_ai2thor.py", "--scene", "FloorPlan3", folder=tmp_path)
    said = [line.split()[0] for line in told.splitlines()]
    assert said[:3] == ["PickupObject", "PutObject", "ToggleObjectOn"]
    assert "the mug holds coffee" in told
    with Image.open(tmp_path / "coffee.png") as frame:
        assert frame.size == (300, 300)
        assert len(frame.getcolors(300 * 300) or ()) > 10


def test_a_model_for_alfreds_loop_follows_an_expert(tmp_path: Path):
    [path] = generate(tmp_path / "set", "simple", 1)
    told = run(EXAMPLES / "follow_an_expert.py", path, folder=tmp_path)
    assert ": solved in " in told and "1 of 1 goal conditions" in told


@pytest.mark.parametrize("task", ["coffee", "salad"])
def test_a_reader_of_the_text_follows_instructions(task: str, tmp_path: Path) -> None:
    words = ("--follower", "examples.text_reader:TextReader", "--wording", "bearings")
    told = run("-m", "tatc", "run", task, *words, "--no-save", folder=tmp_path)
    assert "Success: " in told


def test_a_small_model_needs_its_file(tmp_path: Path) -> None:
    assert "fetch" in run(EXAMPLES / "small_model.py", "--help", folder=tmp_path)


def test_the_notebook_runs(tmp_path: Path) -> None:
    pytest.importorskip("nbclient", reason="needs the extra: dev")
    told = run("-c", EXECUTE, EXAMPLES / "quickstart.ipynb", folder=tmp_path)
    assert told.startswith("True after ")
    assert "image/png" in told
    assert "{'pddl'}" in told, "without the policy of isDirty, PDDL plans"
