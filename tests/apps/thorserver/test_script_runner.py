"""Code that takes the path of an executable, or none at all, runs in tatc's world."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tatc.apps.thorserver import write_executable
from tatc.apps.thorserver.script_runner import use_executable

SCRIPT = """
import json, sys
from ai2thor.controller import Controller
import beside

class Own(Controller):
    def __init__(self, **arguments):
        super().__init__(commit_id="no such commit", **arguments)

with Own(scene="FloorPlan2", width=64, height=64) as controller:
    metadata = controller.step("Pass").metadata
print(json.dumps([metadata["tatcRoom"], sys.argv[1:], beside.NAME, __name__]))
sys.exit(7)
"""


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with these words in a folder that is its home too, without a display."""
    env = {k: v for k, v in os.environ.items() if k != "DISPLAY"} | {"HOME": str(folder)}
    command = [sys.executable, *words]
    return subprocess.run(
        command, env=env, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


SERVER = ("-m", "tatc", "thor-server")


def test_a_script_whose_controller_is_out_of_reach_runs_here(tmp_path: Path):
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "script.py").write_text(SCRIPT)
    (tmp_path / "scripts" / "beside.py").write_text("NAME = 'beside'")
    done = run(*SERVER, "run", "scripts/script.py", "--flag", "-x", "3", folder=tmp_path)
    assert done.returncode == 7, done.stderr
    assert done.stdout.splitlines()[-1] == (
        '["FloorPlan2", ["--flag", "-x", "3"], "beside", "__main__"]'
    )


def test_an_executable_is_written_that_a_client_starts(tmp_path: Path):
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    folder = tmp_path / "releases" / "thor"
    folder.mkdir(parents=True)
    done = run(*SERVER, "--write-executable", "releases/thor/thor", folder=tmp_path)
    assert done.returncode == 0 and done.stdout == "releases/thor/thor\n"
    assert os.access(folder / "thor", os.X_OK)
    code = (
        "from ai2thor.controller import Controller\n"
        f"c = Controller(local_executable_path={str(folder / 'thor')!r}, x_display='0',"
        " scene='FloorPlan2')\n"
        "print(c.last_event.metadata['tatcRoom'])\n"
        "c.stop()\n"
    )
    started = run("-c", code, folder=tmp_path)
    assert started.stdout == "FloorPlan2\n", started.stderr
    again = run(*SERVER, "--write-executable", "releases/thor/thor", folder=tmp_path)
    assert again.returncode == 2 and "--force" in again.stderr
    write_executable(folder / "thor", force=True)


def test_a_client_of_before_2_5_is_given_the_executable_too():
    class Controller:
        def __init__(self, quality: str = "Low") -> None:
            self.local_executable_path = None

        def executable_path(self) -> str:
            return "Unity"

        def download_binary(self) -> None:
            raise AssertionError("it would be fetched")

        lock_release = prune_releases = download_binary

        def check_x_display(self, x_display: str) -> None:
            raise AssertionError

    use_executable(Controller, "tatc")
    controller = Controller()
    assert controller.executable_path() == "tatc"
    for step in (controller.download_binary, controller.lock_release, controller.prune_releases):
        step()
    controller.check_x_display(":0")


def test_a_client_that_cannot_say_which_scene_is_missing_is_helped():
    """Those of 2.5 to 3 sort the names of all scenes, as if they were of floor plans."""

    class Controller:
        scenes_in_build = frozenset({"kitchen-01", "FloorPlan1_physics"})

        def reset(self, scene: object = None) -> object:
            if scene != "FloorPlan1":
                raise AttributeError("'NoneType' object has no attribute 'group'")
            return scene

    use_executable(Controller, "tatc")
    controller = Controller()
    assert controller.reset("FloorPlan1") == "FloorPlan1"
    for scene in ("FloorPlan_Train1_1", {"rooms": []}):
        with pytest.raises(ValueError, match="not contained in build"):
            controller.reset(scene)
    with pytest.raises(AttributeError, match="group"):
        controller.reset("kitchen-01")
