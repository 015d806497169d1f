"""`tatc bench` says which command runs the benchmarks."""

import shlex

import pytest

from tests.command_line import run_tatc


@pytest.mark.parametrize("words", ["", " --list", " fuzz --seed 7", " 'a game' --games games/"])
def test_the_new_command_is_named_with_the_same_words(words: str) -> None:
    done = run_tatc("bench", *shlex.split(words))
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"(run `python -m benchmarks{words}` in a checkout)\n" in done.stderr
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1


def test_the_help_of_tatc_leaves_it_out() -> None:
    assert "bench" not in run_tatc("--help").stdout
