"""Trajectories that tatc generates for tests, since no recordings are committed."""

from pathlib import Path

from typer.testing import CliRunner

from tatc.cli import app


def generate(folder: Path, kinds: str, count: int, seed: int = 1) -> list[Path]:
    """Generate trajectories in shipped rooms, and return their files in order."""
    words = ["alfred", "generate", "--rooms", "--type", kinds, "--count", str(count)]
    done = CliRunner().invoke(app, [*words, "--seed", str(seed), "--out", str(folder)])
    assert done.exit_code == 0, done.output
    return sorted(folder.glob("*/*/traj_data.json"))
