"""TEACh's replay of a recorded game, in a room imported from another game's start."""

from pathlib import Path

import pytest

from benchmarks.bench_teach_replay import ReplayCounts, replay_game

ROOM_GAME, REPLAYED_GAME = "2f8ebbb012505f21_a0f4", "9329ad3f0ba98ac8_493e"
"""Two games in one floor plan."""
FRAME_PIXELS = 300  # a third of TEACh's, to draw fewer pixels


def test_a_recorded_game_is_replayed(sample_games: list[Path]) -> None:
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    games = {path.name.split(".")[0]: path for path in sample_games}
    counts = ReplayCounts()
    replay_game(
        games[REPLAYED_GAME], [games[ROOM_GAME], games[REPLAYED_GAME]], counts, FRAME_PIXELS
    )
    assert counts.asked["motions"] > 50 and counts.asked["interactions"] > 10
    assert counts.rate("motions") == 1.0, counts.faults
    assert counts.rate("interactions") >= 0.9, counts.faults
    assert counts.rate("objects") >= 0.9, counts.faults
    assert counts.rate("tasks") == 1.0, counts.faults
