"""`python -m benchmarks understanding`: shares of dialogues and of annotators' words."""

import json
from pathlib import Path

from benchmarks import bench_understanding
from tests.session.records.sample_trajectory import sample_trajectory


def _figures(path: Path, count: int = 0) -> dict[str, float | None]:
    return {what: value for what, value, _ in bench_understanding.run(path, count)}


def test_games_are_scored_and_some_are_played(sample_games: list[Path]) -> None:
    found = _figures(sample_games[0].parent, count=2)
    assert found["dialogues"] == len(sample_games)
    assert (found["task"] or 0) > 90 and (found["exact"] or 0) <= (found["task"] or 0)
    assert (found["sufficient"] or 0) > (found["another game's dialogue: sufficient"] or 0)


def test_the_words_of_annotators_are_scored(tmp_path: Path) -> None:
    raw = sample_trajectory("pick_cool_then_place_in_recep", 1)
    raw["pddl_params"].update(object_target="Potato", parent_target="SinkBasin")
    words = {
        "Put a chilled potato in the sink.": [],
        "Put a potato there.": ["Chill it in the fridge.", "Put it in the sink."],
    }
    raw["turk_annotations"]["anns"] = [
        {"task_desc": goal, "high_descs": steps} for goal, steps in words.items()
    ]
    folder = tmp_path / "pick_cool" / "trial_1"
    folder.mkdir(parents=True)
    (folder / "traj_data.json").write_text(json.dumps(raw))
    (folder / "cut.traj_data.json").write_text("{}")
    found = _figures(tmp_path)
    goal, steps = "goal sentences", "the same with the steps"
    assert [found[f"{goal}: {share}"] for share in ("task", "exact")] == [50, 50]
    assert [found[f"{steps}: {share}"] for share in ("task", "exact")] == [100, 100]
    assert found[f"{goal}, by the types of the home: exact"] == 50
