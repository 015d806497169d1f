"""EDH and TfD instances cut from a recorded session, in TEACh's file format.

The states between which an instance lies are those of the embedded world, kept on the recorded
course (`recorded_replay`).  TEACh's own code for this was never released; the rules of
`edh_segments` and `relevant_changes` stand in its place.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tatc.evaluation.instances.edh_segments import EdhSegment, cut_into_segments, is_world_action
from tatc.evaluation.instances.instance_json import (
    action_json,
    dialogue_json,
    image_name,
    subgoals_json,
)
from tatc.evaluation.instances.recorded_replay import states_during_replay
from tatc.evaluation.instances.relevant_changes import relevant_changes
from tatc.evaluation.instances.state_differences import net_changes, state_difference
from tatc.home.actions import Role
from tatc.home.state import Snapshot
from tatc.session.records import Benchmark, Game, Interaction, read_game
from tatc.session.start import SessionStart, start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import TaskLibrary, edh_task

InstanceDocument = dict[str, Any]


def build_instances(
    path: Path, kind: Benchmark, library: TaskLibrary
) -> tuple[InstanceDocument, ...]:
    """Return the JSON of a game file's instances; "instance_id" is the name of its file.

    Raises:
        BadInput: the file is no game, or its task is not known.

    """
    game = read_game(path)
    if kind is Benchmark.TFD:
        return (_build_tfd(game),)
    return tuple(_build_edh(game, start_from_game(path, library, None, (), 1)))


def _build_tfd(game: Game) -> InstanceDocument:
    done = game.interactions
    future = [each for each in done if each.role is Role.FOLLOWER and each.success]
    return {
        "game_id": game.game_id,
        "instance_id": f"{game.game_id}.tfd",
        **_course_json(game, len(done), len(done), (), future),
    }


def _build_edh(game: Game, opening: SessionStart) -> Iterator[InstanceDocument]:
    done, segments = game.interactions, cut_into_segments(game.interactions)
    sim = EmbeddedSimulator()
    start = sim.reset(opening.scene)
    edges = {edge for each in segments for edge in (each.start, each.stop)}
    states = states_during_replay(sim, done, edges | {len(done)})
    end = states.get(len(done))
    if end is None:
        return
    for segment in segments:
        before, after = states[segment.start], states[segment.stop]
        since, until = state_difference(start, before), state_difference(start, after)
        changes = relevant_changes(net_changes(since, until), opening.task, end)
        if changes:
            yield {
                **_segment_json(game, segment),
                **_differences_json(since, until, changes),
                **_expected_json(changes, before),
            }


def _differences_json(
    since: InstanceDocument, until: InstanceDocument, changes: InstanceDocument
) -> InstanceDocument:
    pairs = {"init_state_diff": since, "final_state_diff": until, "state_changes": changes}
    return {name: {"agents": {}, "objects": found} for name, found in pairs.items()}


def _expected_json(changes: InstanceDocument, before: Snapshot) -> InstanceDocument:
    """Return the goal conditions of the check task at the end of the history."""
    progress = edh_task({"objects": changes}).check(before)
    return {
        "expected_init_goal_conditions_total": progress.goal_conditions_total,
        "expected_init_goal_conditions_satisfied": progress.goal_conditions_satisfied,
    }


def _segment_json(game: Game, segment: EdhSegment) -> InstanceDocument:
    done, start, stop = game.interactions, segment.start, segment.stop
    history = [each for each in done[:start] if is_world_action(each)]
    future = [each for each in done[start:stop] if is_world_action(each)]
    return {
        "game_id": game.game_id,
        "instance_id": f"{game.game_id}.edh{segment.number}",
        "pred_start_idx": start,
        **_course_json(game, start, stop, history, future),
    }


def _course_json(
    game: Game,
    start: int,
    stop: int,
    history: Sequence[Interaction],
    future: Sequence[Interaction],
) -> InstanceDocument:
    """Return what was said before `start`, and what was done before `stop`."""
    return {
        **dialogue_json(game.raw_interactions[:start], game.interactions[:start]),
        "driver_action_history": [action_json(each) for each in history],
        "driver_image_history": [image_name(each) for each in history],
        "driver_actions_future": [action_json(each) for each in future],
        "driver_images_future": [image_name(each) for each in future],
        "interactions": list(game.raw_interactions[:stop]),
        "history_subgoals": subgoals_json(history),
        "future_subgoals": subgoals_json(filter(is_world_action, future)),
    }
