"""Trajectories that tatc generates for tests, since no recordings are committed."""

from pathlib import Path

from tests.command_line import run_tatc


def generate(
    folder: Path, kinds: str, count: int, seed: int = 1, where: str = "--rooms"
) -> list[Path]:
    """Generate trajectories in shipped rooms or scenes, and return their files in order."""
    words = ["alfred", "generate", where, "--type", kinds, "--count", str(count)]
    done = run_tatc(*words, "--seed", seed, "--out", folder)
    assert done.exit_code == 0, done.output
    return sorted(folder.glob("*/*/traj_data.json"))
