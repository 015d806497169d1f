"""Runs EDH and TfD instances as sessions of a run: from a job to its row."""

from dataclasses import replace
from itertools import cycle
from pathlib import Path

from tatc.base.errors import BadInput, GameFormatError, TatcError
from tatc.base.plain_text import PathShortener
from tatc.evaluation.instances import instance_players
from tatc.evaluation.instances.play_instance import InstanceResult, play_instance
from tatc.evaluation.instances.source_games import SPEECH_VERBS
from tatc.evaluation.runs import eval_options, job_runners, rows
from tatc.evaluation.scoring.scores import GoalConditionCounts
from tatc.home.actions import Role
from tatc.session import session_record, session_types, worlds
from tatc.session.records import Instance, Record, read_instance
from tatc.session.start import SessionStart, start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.tdl import Task, edh_task


class InstanceRunner(job_runners.JobRunner[tuple[Instance, SessionStart, Task]]):
    """Runs instances with one player."""

    def __init__(self, options: eval_options.EvalOptions) -> None:
        """Load tasks, the map and the player once for all instances."""
        super().__init__(options)
        setup = options.setup
        worlds.name_and_hash_of_named(setup.floor_map)  # a fault in it shows at once
        self._player = instance_players.player_named(
            setup.follower,
            options.model_args,
            options.model_seconds,
            speaks=options.feedback > 0,
            setup=setup,
        )

    def _open(self, job: rows.SessionJob) -> tuple[Instance, SessionStart, Task]:
        if job.path is None or job.game_path is None:
            raise BadInput("an instance needs its game", fix="name it with --games")
        instance = read_heard_instance(job, self._options.dialogue)
        start = start_from_game(Path(job.game_path), self._library, None, (), job.seed)
        return instance, start, _instance_task(instance, start, job.path)

    def _row_at_start(
        self, row: rows.SessionRow, opened: tuple[Instance, SessionStart, Task]
    ) -> rows.SessionRow:
        instance, _, task = opened
        kind, people = instance.benchmark.value, instance.reference_length
        return replace(row, params=task.params, benchmark=kind, human_actions=people)

    def _run(
        self, row: rows.SessionRow, opened: tuple[Instance, SessionStart, Task]
    ) -> job_runners.JobResult:
        instance, start, task = opened
        setup, place = self._options.setup, start.scene.place
        recorded_map = worlds.load_map_for(setup.floor_map, place, instance.game_id)
        sim = EmbeddedSimulator(recorded_map)
        player, rounds = self._player, self._options.feedback
        hears = player if isinstance(player, instance_players.FollowerPlayer) else None
        if hears is not None and self._options.goal == eval_options.TRUE_GOAL:
            hears.take_goal(start.task)
        played = play_instance(
            sim, start.scene, instance, task, player, perception=setup.perception, feedback=rounds
        )
        return self._with_record(
            replace(_row_at_end(row, played), map=worlds.map_label(recorded_map)),
            lambda: _make_record(start, task, played, recorded_map, self._options),
        )

    def _describe_crash(self, fault: BaseException) -> tuple[str, str]:
        raised = session_types.original_error(fault)
        told = instance_players.InvalidAnswer | instance_players.TimeLimitExceeded | TatcError
        if isinstance(raised, told):
            return str(raised), f"{raised}\n"
        return super()._describe_crash(fault)


def read_heard_instance(job: rows.SessionJob, source: eval_options.DialogueSource) -> Instance:
    """Return a job's instance with the words that its Follower hears."""
    if job.path is None:
        raise BadInput("this is no instance", where=job.key, fix="name EDH or TfD instances")
    instance = read_instance(job.path)
    match source:
        case eval_options.DialogueSource.OWN:
            return instance
        case eval_options.DialogueSource.OTHER:
            if job.dialogue_path is None:
                why = "there is no instance of another game whose dialogue could be heard"
                raise BadInput(why, fix="name instances of two games")
            return with_words_of(instance, read_instance(job.dialogue_path))
        case _:
            return without_words(instance)


def _instance_task(instance: Instance, start: SessionStart, path: str) -> Task:
    """Return the task by which an instance is scored (spec sections 5.3 and 5.4)."""
    if instance.state_changes is None:
        return start.task
    try:
        return edh_task(instance.state_changes)
    except GameFormatError as fault:
        raise GameFormatError(f"{fault.where}: {fault.what}".lstrip(": "), where=path) from fault


def _row_at_end(row: rows.SessionRow, played: InstanceResult) -> rows.SessionRow:
    progress, failure = played.progress, None
    after = GoalConditionCounts.of(progress) if played.history_replayed else played.before
    if not played.history_replayed:
        failure = rows.SessionFailure("", "history", "an object of it is not in our world", None)
    elif not progress.success:
        keys = progress.problem_keys()
        first = keys[0] if keys else None
        problem = f"{first.object_type} {first.property_name}" if first else ""
        failure = rows.SessionFailure(problem, "", played.end.value, None)
    return replace(
        row,
        end=played.end.value,
        before=played.before,
        after=after,
        follower_actions=played.steps,
        steps=played.steps,
        failed_actions=played.failures,
        stopped=played.stopped,
        failure=failure,
    )


def _make_record(
    start: SessionStart,
    task: Task,
    played: InstanceResult,
    recorded_map: RecordedMap | None,
    options: eval_options.EvalOptions,
) -> Record:
    said = (
        ("follower", PathShortener.of(()).shorten(options.setup.follower)),
        *((name, each) for name, each in job_runners.unusual_conditions(options).items() if each),
    )
    result = session_types.SessionResult(
        *(played.end, played.progress, start.scene.initial, played.final, played.interactions, ()),
        played.failures,
    )
    start, setup = replace(start, task=task), replace(options.setup, sim=worlds.EMBEDDED_WORLD)
    return replace(session_record.make_record(start, result, recorded_map, setup), options=said)


# Whose dialogue the Follower of an instance hears: controls of what its words are worth.


def without_words(instance: Instance) -> Instance:
    """Return an instance in which nobody says anything."""
    acted = tuple(each for each in instance.history if each.verb not in SPEECH_VERBS)
    return replace(instance, dialogue=(), history=acted)


def with_words_of(instance: Instance, other: Instance) -> Instance:
    """Return an instance whose words are those of another; what was done stays.

    In a history they are the same agent's, in order, and from the start again if there are too few.
    """
    said = {role: [each.text for each in other.dialogue if each.speaker is role] for role in Role}
    words = {role: cycle(texts or [""]) for role, texts in said.items()}
    history = tuple(
        replace(done, text=next(words[done.role])) if done.verb in SPEECH_VERBS else done
        for done in instance.history
    )
    return replace(instance, dialogue=other.dialogue, history=history)
