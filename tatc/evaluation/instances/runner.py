"""Instances as sessions of a run: from a job to its row, nothing dropped."""

import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from tatc.errors import BadInput, TatcError
from tatc.evaluation.instances.limit import OutOfTime
from tatc.evaluation.instances.players import Nonsense, player_named
from tatc.evaluation.instances.playing import Played, play
from tatc.evaluation.jobs import Job
from tatc.evaluation.one import Done, crashed, file_name
from tatc.evaluation.options import Keep, Options
from tatc.evaluation.rows import Failure, Row
from tatc.opening import Opening, open_game
from tatc.records import Instance, Record, read_instance, record_bytes
from tatc.records.files import gzipped
from tatc.runner import BOXES
from tatc.scoring import Counts
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.sim.maps.files import read_map
from tatc.tdl import Task, edh_task, load_library


class InstanceRunner:
    """Runs the instances of one run, one after the other, with one player."""

    def __init__(self, options: Options) -> None:
        """Load tasks, the map and the player once for all instances.

        Raises:
            BadInput: one of them cannot be loaded.

        """
        self._options, setup = options, options.setup
        self._library = load_library([Path(each) for each in options.definitions])
        self._map = None
        if setup.floor_map != BOXES:
            self._map = read_map(Path(setup.floor_map))
        self._player = player_named(
            setup.follower, options.model_args, options.model_seconds
        )

    def close(self) -> None:
        """Have nothing to forget."""

    def run(self, job: Job, opened: Callable[[Row], None] = lambda row: None) -> Done:
        """Run an instance; what the player raises is a failure like any other."""
        start, row = perf_counter(), job.row()
        try:
            try:
                instance, opening = self._open(job)
            except BadInput as fault:
                return Done(replace(row, skipped=fault.line), perf_counter() - start)
            task = _check_task(instance, opening)
            row = _about(row, instance, task)
            opened(row)
            done = self._play(row, instance, opening, task)
            return replace(done, seconds=perf_counter() - start)
        except (Nonsense, OutOfTime, TatcError) as fault:
            row, text = crashed(row, str(fault)), f"{fault}\n"
        except Exception as fault:  # a crash is a result
            why = f"{type(fault).__name__}: {fault}".splitlines()[0]
            row, text = crashed(row, why), traceback.format_exc()
        return Done(row, perf_counter() - start, crash=text)

    def _open(self, job: Job) -> tuple[Instance, Opening]:
        if job.path is None or job.game is None:
            raise BadInput("an instance needs its game", fix="name it with --games")
        instance = read_instance(job.path)
        return instance, open_game(Path(job.game), self._library, None, (), job.seed)

    def _play(self, row: Row, instance: Instance, opening: Opening, task: Task) -> Done:
        cells = self._map and self._map.without(instance.game_id)
        sim = EmbeddedSimulator(cells)
        played = play(sim, opening.scene, instance, task, self._player)
        row = _ended(row, played)
        keep, record = self._options.keep, None
        if keep is Keep.ALL or (keep is Keep.FAILURES and not row.success):
            name, map_hash = (cells.name, cells.hash) if cells else (BOXES, "")
            found = _record(opening, task, played, self._options)
            found = replace(found, floor_map=name, map_hash=map_hash)
            record = gzipped(record_bytes(found), level=4)  # quickly
            row = replace(row, record=f"records/{file_name(row.key)}.game.json.gz")
        return Done(row, 0.0, record)


def _check_task(instance: Instance, opening: Opening) -> Task:
    """Return what an instance is judged by (spec sections 5.3 and 5.4)."""
    if instance.state_changes is None:
        return opening.task
    return edh_task(instance.state_changes)


def _about(row: Row, instance: Instance, task: Task) -> Row:
    return replace(
        row,
        params=task.params,
        benchmark=instance.benchmark.value,
        human_actions=instance.reference,
    )


def _ended(row: Row, played: Played) -> Row:
    progress, failure = played.progress, None
    if not played.started:
        failure = Failure("", "history", "an object of it is not in our world", None)
    elif not progress.success:
        keys = progress.problem_keys()
        first = keys[0] if keys else None
        problem = f"{first.object_type} {first.property_name}" if first else ""
        failure = Failure(problem, "", played.end.value, None)
    after = Counts(progress.goal_conditions_total, progress.goal_conditions_satisfied)
    return replace(
        row,
        end=played.end.value,
        before=played.before,
        after=after if played.started else played.before,
        follower_actions=played.steps,
        steps=played.steps,
        failed_actions=played.failures,
        stopped=played.stopped,
        failure=failure,
    )


def _record(opening: Opening, task: Task, played: Played, options: Options) -> Record:
    return Record(
        definition=task.definition_json(),
        scene=opening.scene,
        final=played.final,
        interactions=played.interactions,
        decisions=(),
        end=played.end,
        gc_total=played.progress.goal_conditions_total,
        gc_satisfied=played.progress.goal_conditions_satisfied,
        world="embedded",
        floor_map=BOXES,
        map_hash="",
        seed=opening.seed,
        game_id=opening.game,
        options=(("follower", options.setup.follower),),
    )
