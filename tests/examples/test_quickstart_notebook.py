"""The notebook for beginners runs from its first cell to its last."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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


def test_the_notebook_runs(tmp_path: Path) -> None:
    pytest.importorskip("nbclient", reason="needs the extra: dev")
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE, ROOT / "examples" / "quickstart.ipynb"],
        cwd=tmp_path,
        env=os.environ | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("True after ")
    assert "image/png" in done.stdout
    assert "{'pddl'}" in done.stdout, "without the policy of isDirty, PDDL plans"
