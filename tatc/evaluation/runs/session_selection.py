"""Which sessions a run holds: filters, a sample, a shard."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.evaluation.runs.game_discovery import game_headings
from tatc.evaluation.runs.instance_jobs import instance_jobs
from tatc.evaluation.runs.jobs import SessionJob, TrackProgress, unreadable_row
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.subgoal_runner import subgoal_jobs
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.session.records.game_header import place_names
from tatc.session.records.record import session_id_of
from tatc.sim.rooms import Room, load_room, room_names
from tatc.tdl import load_library


@dataclass(frozen=True, slots=True)
class SessionSelection:
    """The sessions of a run, and the rows of files that are no games."""

    jobs: tuple[SessionJob, ...]
    skipped_rows: tuple[SessionRow, ...] = ()


def select_sessions(
    options: EvalOptions, track_progress: TrackProgress = lambda paths: paths
) -> SessionSelection:
    """Return the sessions that the options select, in the order of their keys."""
    library = load_library([Path(each) for each in options.definitions])
    skipped_rows: list[SessionRow] = []
    wanted = tuple(map(library.find, options.tasks))
    names = tuple(definition.name for definition in wanted)
    # A trajectory's task is named by its type, which is an alias of tatc's task.
    called = {*names, *(alias for definition in wanted for alias in definition.aliases)}
    if options.kind != TATC:
        jobs = list(instance_jobs(options, track_progress, skipped_rows))
    elif options.games:
        jobs = list(_jobs_in_games(options, track_progress, skipped_rows))
    else:
        jobs = list(_jobs_in_rooms(options, names or TEACH_TASKS))
    jobs = [job for job in jobs if not names or job.task in called]
    only, without = map(place_names, (options.only_plans, options.without_plans))
    jobs = [job for job in jobs if not only or job.place in only]
    jobs = [job for job in jobs if job.place not in without]
    if options.subgoals:
        jobs = list(_jobs_at_subgoals(jobs, options.subgoals, skipped_rows))
    if options.limit is not None:
        jobs = sample_jobs(jobs, options.limit, options.seed)
    jobs.sort(key=lambda job: job.key)
    i, n = options.shard
    if not jobs and not skipped_rows:
        raise BadInput("no session is left to run", fix="remove a filter")
    return SessionSelection(tuple(jobs[i - 1 :: n]), tuple(skipped_rows) if i == 1 else ())


def sample_jobs(jobs: Sequence[SessionJob], limit: int, seed: int) -> list[SessionJob]:
    """Return `limit` sessions (all if there are fewer), each task in proportion.

    Which sessions of a task are taken depends only on the seed and on their own keys.
    """
    by_task: defaultdict[str, list[SessionJob]] = defaultdict(list)
    for job in jobs:
        by_task[job.task].append(job)
    parts = _proportional_counts({task: len(own) for task, own in by_task.items()}, limit)
    return [
        job
        for task, count in parts.items()
        for job in sorted(by_task[task], key=lambda job: _sampling_key(job, seed))[:count]
    ]


def _proportional_counts(sizes: dict[str, int], limit: int) -> dict[str, int]:
    """Split a limit in proportion to sizes; the largest remainders get what is left."""
    total = sum(sizes.values())
    if limit >= total:
        return sizes
    whole = {task: size * limit // total for task, size in sizes.items()}
    rests = sorted(sizes, key=lambda task: (-(sizes[task] * limit % total), task))
    for task in rests[: limit - sum(whole.values())]:
        whole[task] += 1
    return whole


def _sampling_key(job: SessionJob, seed: int) -> str:
    return sha256(f"{seed} {job.key}".encode()).hexdigest()


def _jobs_in_games(
    options: EvalOptions, track_progress: TrackProgress, skipped_rows: list[SessionRow]
) -> Iterator[SessionJob]:
    for path, head in game_headings(options.games, track_progress):
        if isinstance(head, BadInput):
            skipped_rows.append(unreadable_row(path, head))
        else:
            yield SessionJob.from_header(head.game_id, head, path, options.seed)


def _jobs_at_subgoals(
    jobs: Sequence[SessionJob], kinds: Sequence[str], skipped_rows: list[SessionRow]
) -> Iterator[SessionJob]:
    for job in jobs:
        try:
            yield from subgoal_jobs(job, kinds)
        except BadInput as fault:
            skipped_rows.append(unreadable_row(Path(job.path or job.key), fault))


def _jobs_in_rooms(options: EvalOptions, tasks: Sequence[str]) -> Iterator[SessionJob]:
    named = {name: load_room(name) for name in options.rooms or room_names()}
    _check_unique_names(named)
    for (name, room), task, seed in product(named.items(), tasks, options.seeds):
        key = session_id_of(None, room.name, task, seed)
        kind = room.kind.value
        yield SessionJob(key, task, room.name, kind, "rooms", seed=seed, room=name)


def _check_unique_names(named: Mapping[str, Room]) -> None:
    """Check that no two rooms have one name, which is part of the keys of their sessions."""
    first: dict[str, str] = {}
    for given, room in named.items():
        if room.name in first:
            raise BadInput(
                f"holds a room {room.name}, as {first[room.name]} does",
                where=given,
                fix="give the rooms' files names of their own in the field name",
            )
        first[room.name] = given
