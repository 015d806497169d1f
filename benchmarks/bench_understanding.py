"""How well what people asked for is understood, in TEACh's games or in ALFRED's trajectories.

    python -m benchmarks understanding --games games/ --count 182 --workers 2
    python -m benchmarks understanding --games alfred/train/

`understanding_score.py` says when a task is understood.  With `--count N` the rule pair plays N of
the games, evenly spread, once with the goal that was understood (*sufficient*), and once with that
of another game's dialogue, as a control.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import understanding_score as scoring
from tatc.session.alfred.floor_plan_files import read_furniture
from tatc.session.records import SESSION_FILES, find_files, trajectory

Figure = tuple[str, float | None, str]
WORDS = {"goal": "goal sentences", "steps": "the same with the steps"}


def run(games: Path | None = None, count: int = 0, workers: int = 1) -> Iterator[Figure]:
    """Yield the shares of dialogues, or of annotators' words, that are understood."""
    if games is None:
        return
    paths = find_files([str(games)], SESSION_FILES)
    if all(map(trajectory.is_trajectory_file, paths)):
        yield from _of_trajectories(paths)
    else:
        yield from _of_games(paths, count, workers)


def _of_games(paths: Sequence[Path], count: int, workers: int) -> Iterator[Figure]:
    scores = list(scoring.score_games(paths, workers, quick=True))
    found = scoring.summarize(scores, quick=True)
    yield from _skipped([each.skipped for each in scores])
    yield "dialogues", found["n"], ""
    yield from _percent(found, "", "task", "exact", "named")
    yield from _percent(found["confident"], "the surest nine tenths: ", "exact")
    for name, shares in found["per_task"].items():
        yield from _percent(shares, f"{name}: ", "task", "exact")
    if not count:
        return
    played = [paths[k * len(paths) // count] for k in range(min(count, len(paths)))]
    found = scoring.summarize(list(scoring.score_games(played, workers)))
    yield f"games solved with the true goal, of {found['n']}", found["solvable"], ""
    yield from _percent(found, "", "sufficient")
    other = scoring.summarize(list(scoring.score_games(played, workers, other_dialogue=True)))
    yield from _percent(other, "another game's dialogue: ", "sufficient")


def _of_trajectories(paths: Sequence[Path]) -> Iterator[Figure]:
    for home, catalogue in (("", None), (", by the types of the home", read_furniture(()))):
        scores = list(scoring.score_directives(paths, catalogue))
        if not home:
            yield from _skipped([each.skipped for each in scores])
        for language, shares in scoring.summarize_directives(scores).items():
            yield f"{WORDS[language]}{home}", shares["n"], ""
            yield from _percent(shares, f"{WORDS[language]}{home}: ", "task", "exact")


def _percent(shares: dict[str, Any], of: str, *names: str) -> Iterator[Figure]:
    for name in names:
        share = shares[name]
        yield f"{of}{name}", None if share is None else 100 * share, "%"


def _skipped(reasons: Sequence[str]) -> Iterator[Figure]:
    if told := [each for each in reasons if each]:
        yield "files skipped", len(told), f"first: {told[0]}"
