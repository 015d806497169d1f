"""EDH and TfD instances made of a recorded session, in TEACh's file format.

The states between which an instance lies are those of our own world put back onto the
recorded course (`course`).  What TEACh's unreleased code decided is decided by the
rules of `segments` and `relevance`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.actions import Role
from tatc.evaluation.instances.course import states_along
from tatc.evaluation.instances.relevance import helping
from tatc.evaluation.instances.segments import Segment, in_the_world, segments_of
from tatc.evaluation.instances.states import between, difference
from tatc.evaluation.instances.telling import (
    action_json,
    dialogue,
    image_name,
    subgoals,
)
from tatc.opening import Opening, open_game
from tatc.records import Benchmark, Game, Interaction, read_game
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Snapshot
from tatc.tdl import Library, edh_task

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Built:
    """An instance's document and the name of its file without the ending."""

    name: str
    document: Document


def instances_of(path: Path, kind: Benchmark, library: Library) -> tuple[Built, ...]:
    """Return the instances of a game file.

    Raises:
        BadInput: the file is no game, or its task is not known.

    """
    game = read_game(path)
    if kind is Benchmark.TFD:
        return (_tfd(game),)
    return tuple(_edh(game, open_game(path, library, None, (), 1)))


def _tfd(game: Game) -> Built:
    done = game.interactions
    future = [each for each in done if each.role is Role.FOLLOWER and each.success]
    name = f"{game.game_id}.tfd"
    return Built(
        name,
        {
            "game_id": game.game_id,
            "instance_id": name,
            **dialogue(game.logged, done),
            **_actions((), future),
            "interactions": list(game.logged),
            "history_subgoals": [],
            "future_subgoals": subgoals(filter(in_the_world, future)),
        },
    )


def _edh(game: Game, opening: Opening) -> Iterator[Built]:
    done, segments = game.interactions, segments_of(game.interactions)
    sim = EmbeddedSimulator()
    start = sim.reset(opening.scene)
    edges = {edge for each in segments for edge in (each.start, each.stop)}
    states = states_along(sim, done, edges | {len(done)})
    end = states.get(len(done))
    if end is None:
        return
    for segment in segments:
        before, after = states[segment.start], states[segment.stop]
        since, until = difference(start, before), difference(start, after)
        changes = helping(between(since, until), opening.task, end)
        if changes:
            parts = _differences(since, until, changes) | _expected(changes, before)
            yield _built(game, segment, parts)


def _differences(since: Document, until: Document, changes: Document) -> Document:
    pairs = {
        "init_state_diff": since,
        "final_state_diff": until,
        "state_changes": changes,
    }
    return {name: {"agents": {}, "objects": found} for name, found in pairs.items()}


def _expected(changes: Document, before: Snapshot) -> Document:
    """Return the goal conditions of the check task once the history is done."""
    progress = edh_task({"objects": changes}).check(before)
    return {
        "expected_init_goal_conditions_total": progress.goal_conditions_total,
        "expected_init_goal_conditions_satisfied": progress.goal_conditions_satisfied,
    }


def _built(game: Game, segment: Segment, parts: Mapping[str, Any]) -> Built:
    done, start = game.interactions, segment.start
    history = [each for each in done[:start] if in_the_world(each)]
    future = [each for each in done[start : segment.stop] if in_the_world(each)]
    name = f"{game.game_id}.edh{segment.number}"
    return Built(
        name,
        {
            "game_id": game.game_id,
            "instance_id": name,
            "pred_start_idx": start,
            **dialogue(game.logged[:start], done[:start]),
            **_actions(history, future),
            "interactions": list(game.logged[: segment.stop]),
            "history_subgoals": subgoals(history),
            "future_subgoals": subgoals(future),
            **parts,
        },
    )


def _actions(history: Sequence[Interaction], future: Sequence[Interaction]) -> Document:
    return {
        "driver_action_history": [action_json(each) for each in history],
        "driver_image_history": [image_name(each) for each in history],
        "driver_actions_future": [action_json(each) for each in future],
        "driver_images_future": [image_name(each) for each in future],
    }
