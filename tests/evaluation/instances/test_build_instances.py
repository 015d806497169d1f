"""Instances cut from sessions: TEACh's format, and states that belong together."""

from pathlib import Path

import pytest

from tatc.evaluation.instances.build_instances import InstanceDocument, build_instances
from tatc.evaluation.instances.source_games import states_during_replay
from tatc.session.records import Benchmark, parse_instance, read_game
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import edh_task, shipped_library


def test_history_and_future_join_to_the_whole_course(edh: tuple[InstanceDocument, ...]) -> None:
    assert edh
    for found in edh:
        start = found["pred_start_idx"]
        assert len(found["driver_image_history"]) == len(found["driver_action_history"])
        assert len(found["driver_images_future"]) == len(found["driver_actions_future"])
        times = [each["time_start"] for each in found["driver_action_history"]]
        later = [each["time_start"] for each in found["driver_actions_future"]]
        cut = found["interactions"][start]["time_start"]
        assert all(time < cut for time in times)
        assert all(time >= cut for time in later)
        assert any(a["obj_interaction_action"] for a in found["driver_actions_future"])
        assert found["dialog_history"][-1][0] in ("Commander", "Driver")


def test_what_is_written_can_be_read(edh: tuple[InstanceDocument, ...]) -> None:
    for built in edh:
        read = parse_instance(built, built["instance_id"])
        assert read.benchmark is Benchmark.EDH
        assert len(read.history) == built["pred_start_idx"]
        assert read.reference_length == len(built["driver_actions_future"])
        assert read.expected is not None
        assert read.expected.satisfied < read.expected.total


def _count_instances_done(path: Path) -> int:
    """Check every instance of a game; return how many there are."""
    library = shipped_library()
    game, opening = read_game(path), start_from_game(path, library, None, (), 1)
    cut = build_instances(path, Benchmark.EDH, library)
    stops = {len(each["interactions"]) for each in cut}
    sim = EmbeddedSimulator()
    sim.reset(opening.scene)
    states = states_during_replay(sim, game.interactions, stops)
    for built in cut:
        end = states[len(built["interactions"])]
        task = edh_task(built["state_changes"])
        assert task.check(end).success, built["instance_id"]
    return len(cut)


def test_people_did_what_an_instance_asks_for(played_game: Path, sample_games: list[Path]) -> None:
    assert sum(map(_count_instances_done, (played_game, *sample_games[::8]))) > 9


def test_tfd_holds_the_whole_session(played_game: Path) -> None:
    [built] = build_instances(played_game, Benchmark.TFD, shipped_library())
    game = read_game(played_game)
    read = parse_instance(built, built["instance_id"])
    assert (read.benchmark, read.history) == (Benchmark.TFD, ())
    assert len(built["interactions"]) == len(game.interactions)
    assert len(read.dialogue) == sum(bool(each.text) for each in game.interactions)
    assert read.state_changes is None


@pytest.mark.parametrize("kind", list(Benchmark))
def test_the_same_game_gives_the_same_instances(played_game: Path, kind: Benchmark) -> None:
    first, second = (build_instances(played_game, kind, shipped_library()) for _ in range(2))
    assert first == second
