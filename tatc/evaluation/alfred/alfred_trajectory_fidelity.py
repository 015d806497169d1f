"""How tatc's world answers what ALFRED's experts did, all of which AI2-THOR allowed.

Acceptance alone proves nothing where every answer is yes.  So each is also tried from a random
pose, where AI2-THOR would refuse it, and the recorded masks are compared with what tatc shows.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tatc.base import errors, process_pool
from tatc.evaluation.alfred.alfred_conditions import goal_conditions
from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, nest_by_group
from tatc.evaluation.scoring.scores import ratio
from tatc.home import actions, state
from tatc.session import start, worlds
from tatc.session.alfred.named_actions import NamedReplay, object_of_mask, pixels_of_runs
from tatc.session.alfred.recorded_ids import all_recorded
from tatc.session.records.trajectory_plan import LowAction

MEASURES = tuple(
    "moves.accepted interactions.succeeded masks.all masks.first_touch ends.named "
    "controls.refused".split()
)
_YAWS = (0.0, 90.0, 180.0, 270.0)


def measure_trajectories(
    paths: Iterable[Path], plans: tuple[str, ...], floor_map: str, workers: int
) -> Iterator[AgreementCounts | str]:
    """Yield the counts of each trajectory's answers, or why it was not compared, in any order."""
    measure = partial(_measure, plans=plans, floor_map=floor_map)
    yield from process_pool.map_in_processes(
        measure, list(paths), workers, lambda path, why: f"{path}: {why}"
    )


def _measure(path: Path, plans: tuple[str, ...], floor_map: str) -> AgreementCounts | str:
    try:
        loaded = start.load_scene(path, plans)
    except errors.BadInput as fault:
        return fault.one_line
    return _Comparison(loaded, floor_map).run()


class _Comparison:
    def __init__(self, loaded: start.TrajectoryScene, floor_map: str) -> None:
        self._trajectory = loaded.trajectory
        recorded_map = worlds.load_map_for(floor_map, loaded.scene.place, self._trajectory.key)
        self._replay = NamedReplay(loaded.scene, recorded_map)
        self._random = Random(f"control {self._trajectory.key}")
        self._counts = AgreementCounts()
        self._touched: set[str] = set()

    def run(self) -> AgreementCounts:
        for action in self._trajectory.low_actions:
            if action.object_id is not None:
                self._compare_interaction(action)
                continue
            done = self._replay.do(action)
            if action.verb is actions.Verb.FORWARD:
                self._counts.count("moves.accepted", done)
        task, ends_well = self._trajectory.task, False
        if task is not None:
            ends_well = not goal_conditions(task, self._replay.now, self._replay.view().shows).unmet
        self._counts.count("ends.named", ends_well)
        return self._counts

    def _compare_interaction(self, action: LowAction) -> None:
        target = self._replay.target_of(action)
        before = self._replay.now
        if target is not None:
            self._compare_mask(action, before)
            self._counts.count("controls.refused", not self._works_from_elsewhere(action, before))
        self._counts.count("interactions.succeeded", self._replay.do(action))
        self._touched.update(filter(None, (action.object_id,)))

    def _compare_mask(self, action: LowAction, before: state.Snapshot) -> None:
        """Count whether a mask means the object that is named; of slices, any of the whole."""
        pixels = pixels_of_runs(action.mask, before.follower.body.frame_pixels)
        start, geometry = self._replay.start, self._replay.sim.geometry
        meant = object_of_mask(pixels, action.verb, before, start, geometry)
        named = {each.objectId for each in all_recorded(action.target_id or "", before)}
        self._counts.count("masks.all", meant in named)
        if action.verb is actions.Verb.PICKUP and action.object_id not in self._touched:
            self._counts.count("masks.first_touch", meant in named)

    def _works_from_elsewhere(self, action: LowAction, before: state.Snapshot) -> bool:
        """Return whether the interaction succeeds from a random pose; nothing stays changed."""
        sim, body = self._replay.sim, before.follower
        pose = self._random.choice(sim.reachable())
        yaw, horizon = self._random.choice(_YAWS), self._random.choice(body.body.horizons)
        there = (pose.x, body.position[1], pose.z)
        sim.put_follower(replace(body, position=there, yaw=yaw, horizon=horizon))
        works = self._replay.interact(action)
        sim.restore(before)
        return works


def fidelity_json(found: Iterable[AgreementCounts | str]) -> dict[str, Any]:
    """Return the rates of all trajectories, each with the number of answers compared."""
    total = AgreementCounts()
    for each in found:
        total.count("scenes.built", not isinstance(each, str))
        total.add(AgreementCounts() if isinstance(each, str) else each)
    counts = {n: (total.compared[n], total.agreed[n]) for n in ("scenes.built", *MEASURES)}
    rates = nest_by_group({n: {"n": k, "rate": ratio(done, k)} for n, (k, done) in counts.items()})
    rates["masks"] |= rates["masks"].pop("all")
    return rates
