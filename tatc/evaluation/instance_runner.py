"""Runs EDH and TfD instances as sessions of a run: from a job to its row."""

import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from tatc.errors import BadInput, TatcError
from tatc.evaluation.eval_options import EvalOptions, SaveRecords
from tatc.evaluation.jobs import SessionJob
from tatc.evaluation.rows import SessionFailure, SessionRow
from tatc.evaluation.session_runner import CompletedSession, crashed_row, safe_file_name
from tatc.instances.instance_players import InvalidAnswer, player_named
from tatc.instances.play_instance import InstanceResult, play_instance
from tatc.instances.time_limit import TimeLimitExceeded
from tatc.records import Instance, Record, read_instance, record_bytes
from tatc.records.json_files import gzip_bytes
from tatc.scoring import GoalConditionCounts
from tatc.session.runner import MAP_FROM_BOXES
from tatc.session.start import SessionStart, start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.maps.floor_map_files import read_floor_map
from tatc.tdl import Task, edh_task, load_library


class InstanceRunner:
    """Runs the instances of one run, one after the other, with one player."""

    def __init__(self, options: EvalOptions) -> None:
        """Load tasks, the map and the player once for all instances.

        Raises:
            BadInput: one of them cannot be loaded.

        """
        self._options, setup = options, options.setup
        self._library = load_library([Path(each) for each in options.definitions])
        self._map = None
        if setup.floor_map != MAP_FROM_BOXES:
            self._map = read_floor_map(Path(setup.floor_map))
        self._player = player_named(setup.follower, options.model_args, options.model_seconds)

    def close(self) -> None:
        """Do nothing: no instance leaves anything behind."""

    def run(
        self, job: SessionJob, on_start: Callable[[SessionRow], None] = lambda row: None
    ) -> CompletedSession:
        """Run an instance; an exception of the player becomes a crashed row."""
        start, row = perf_counter(), job.initial_row()
        try:
            try:
                instance, opening = self._open(job)
            except BadInput as fault:
                return CompletedSession(
                    replace(row, skipped=fault.one_line), perf_counter() - start
                )
            task = _instance_task(instance, opening)
            row = _row_at_start(row, instance, task)
            on_start(row)
            done = self._play(row, instance, opening, task)
            return replace(done, seconds=perf_counter() - start)
        except (InvalidAnswer, TimeLimitExceeded, TatcError) as fault:
            row, text = crashed_row(row, str(fault)), f"{fault}\n"
        except Exception as fault:  # a crash is a result
            why = f"{type(fault).__name__}: {fault}".splitlines()[0]
            row, text = crashed_row(row, why), traceback.format_exc()
        return CompletedSession(row, perf_counter() - start, crash=text)

    def _open(self, job: SessionJob) -> tuple[Instance, SessionStart]:
        if job.path is None or job.game_path is None:
            raise BadInput("an instance needs its game", fix="name it with --games")
        instance = read_instance(job.path)
        return instance, start_from_game(Path(job.game_path), self._library, None, (), job.seed)

    def _play(
        self, row: SessionRow, instance: Instance, opening: SessionStart, task: Task
    ) -> CompletedSession:
        cells = self._map and self._map.without_game(instance.game_id)
        sim = EmbeddedSimulator(cells)
        played = play_instance(sim, opening.scene, instance, task, self._player)
        row = _row_at_end(row, played)
        keep, record = self._options.keep, None
        if keep is SaveRecords.ALL or (keep is SaveRecords.FAILURES and not row.success):
            name, map_hash = (cells.name, cells.hash) if cells else (MAP_FROM_BOXES, "")
            found = _make_record(opening, task, played, self._options)
            found = replace(found, floor_map=name, map_hash=map_hash)
            record = gzip_bytes(record_bytes(found), level=4)  # quickly
            row = replace(row, record=f"records/{safe_file_name(row.key)}.game.json.gz")
        return CompletedSession(row, 0.0, record)


def _instance_task(instance: Instance, opening: SessionStart) -> Task:
    """Return the task by which an instance is scored (spec sections 5.3 and 5.4)."""
    if instance.state_changes is None:
        return opening.task
    return edh_task(instance.state_changes)


def _row_at_start(row: SessionRow, instance: Instance, task: Task) -> SessionRow:
    return replace(
        row,
        params=task.params,
        benchmark=instance.benchmark.value,
        human_actions=instance.reference_length,
    )


def _row_at_end(row: SessionRow, played: InstanceResult) -> SessionRow:
    progress, failure = played.progress, None
    if not played.history_replayed:
        failure = SessionFailure("", "history", "an object of it is not in our world", None)
    elif not progress.success:
        keys = progress.problem_keys()
        first = keys[0] if keys else None
        problem = f"{first.object_type} {first.property_name}" if first else ""
        failure = SessionFailure(problem, "", played.end.value, None)
    after = GoalConditionCounts(progress.goal_conditions_total, progress.goal_conditions_satisfied)
    return replace(
        row,
        end=played.end.value,
        before=played.before,
        after=after if played.history_replayed else played.before,
        follower_actions=played.steps,
        steps=played.steps,
        failed_actions=played.failures,
        stopped=played.stopped,
        failure=failure,
    )


def _make_record(
    opening: SessionStart, task: Task, played: InstanceResult, options: EvalOptions
) -> Record:
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
        floor_map=MAP_FROM_BOXES,
        map_hash="",
        seed=opening.seed,
        game_id=opening.game_id,
        options=(("follower", options.setup.follower),),
    )
