"""Which sessions a run holds, of games, rooms or instances: filters, a sample, a shard."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product
from pathlib import Path

from tatc.base import errors, files
from tatc.evaluation.instances.source_games import find_game_of_instance, games_by_id
from tatc.evaluation.runs.eval_options import TATC, DialogueSource, EvalOptions
from tatc.evaluation.runs.rows import SessionJob, SessionRow, TrackProgress, unreadable_row
from tatc.evaluation.runs.subgoal_runner import subgoal_jobs
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.session import records, start
from tatc.session.records import game_header, record
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
    library = load_library(options.definitions)
    skipped_rows: list[SessionRow] = []
    wanted = tuple(map(library.find, options.tasks))
    names = tuple(definition.name for definition in wanted)
    # A trajectory's task is named by its type, which is an alias of tatc's task.
    called = {*names, *(alias for definition in wanted for alias in definition.aliases)}
    if options.kind != TATC:
        jobs = list(instance_jobs(options, track_progress, skipped_rows))
    elif options.split:
        jobs = list(_jobs_of_split(options.split))
    elif options.games:
        jobs = list(_jobs_in_games(options, track_progress, skipped_rows))
    else:
        jobs = list(_jobs_in_rooms(options, names or TEACH_TASKS))
    jobs = [job for job in jobs if not names or job.task in called]
    only, without = map(game_header.place_names, (options.only_plans, options.without_plans))
    jobs = [job for job in jobs if not only or job.place in only]
    jobs = [job for job in jobs if job.place not in without]
    if options.subgoals:
        jobs = list(_jobs_at_subgoals(jobs, options.subgoals, skipped_rows))
    if options.limit is not None:
        jobs = sample_jobs(jobs, options.limit, options.seed)
    jobs.sort(key=lambda job: job.key)
    i, n = options.shard
    named = [Path(each).name for each in options.games]
    if named and not jobs and named == [row.key for row in skipped_rows]:
        raise errors.BadInput(skipped_rows[0].skipped)
    if not jobs and not skipped_rows:
        raise errors.BadInput("no session is left to run", fix="remove a filter")
    return SessionSelection(tuple(jobs[i - 1 :: n]), tuple(skipped_rows) if i == 1 else ())


def sample_jobs(jobs: Sequence[SessionJob], limit: int, seed: int) -> list[SessionJob]:
    """Return `limit` sessions at most, each task in proportion, by the seed and their own keys."""
    by_task: defaultdict[str, list[SessionJob]] = defaultdict(list)
    for job in jobs:
        by_task[job.task].append(job)
    parts = _proportional_counts({task: len(own) for task, own in by_task.items()}, limit)

    def drawn(job: SessionJob) -> str:
        return sha256(f"{seed} {job.key}".encode()).hexdigest()

    return [job for task, n in parts.items() for job in sorted(by_task[task], key=drawn)[:n]]


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


def _jobs_in_games(
    options: EvalOptions, track_progress: TrackProgress, skipped_rows: list[SessionRow]
) -> Iterator[SessionJob]:
    for path, head in game_headings(options.games, track_progress):
        if isinstance(head, errors.BadInput):
            skipped_rows.append(unreadable_row(path, head))
        else:
            yield SessionJob.from_header(head.game_id, head, path, options.seed)


def _jobs_at_subgoals(
    jobs: Sequence[SessionJob], kinds: Sequence[str], skipped_rows: list[SessionRow]
) -> Iterator[SessionJob]:
    for job in jobs:
        try:
            yield from subgoal_jobs(job, kinds)
        except errors.BadInput as fault:
            skipped_rows.append(unreadable_row(Path(job.path or job.key), fault))


def _jobs_in_rooms(options: EvalOptions, tasks: Sequence[str]) -> Iterator[SessionJob]:
    named = {name: load_room(name) for name in options.rooms or room_names()}
    _check_unique_names(named)
    for (name, room), task, seed in product(named.items(), tasks, options.seeds):
        key = record.session_id_of(None, room.name, task, seed)
        yield SessionJob(key, task, room.name, room.kind.value, "rooms", seed=seed, room=name)


def _jobs_of_split(name: str) -> Iterator[SessionJob]:
    for room, task, seed in start.load_split(name).sessions():
        key, kind = record.session_id_of(None, room, task, seed), load_room(room).kind.value
        yield SessionJob(key, task, room, kind, name, seed=seed, room=room)


def _check_unique_names(named: Mapping[str, Room]) -> None:
    """Check that no two rooms have one name, which is part of the keys of their sessions."""
    first: dict[str, str] = {}
    for given, room in named.items():
        if room.name in first:
            why = f"holds a room {room.name}, as {first[room.name]} does"
            fix = "give the rooms' files names of their own in the field name"
            raise errors.BadInput(why, where=given, fix=fix)
        first[room.name] = given


def game_headings(
    paths_or_globs: Sequence[str], track_progress: TrackProgress = lambda paths: paths
) -> Iterator[tuple[Path, records.GameHeader | errors.BadInput]]:
    """Yield the header of each game file, without copies, or why it is left out."""
    first: dict[str, Path] = {}
    for path in track_progress(records.find_files(paths_or_globs, records.SESSION_FILES)):
        try:
            head = records.read_game_header(path)
            other = first.setdefault(head.game_id, path)
            if other is path:
                yield path, head
            elif _read_first(other, path) != files.read_json(path, files.GAME):
                what = f"calls itself {head.game_id}, as {other} does"
                raise errors.BadInput(what, where=str(path), fix="name one of the two")
        except errors.BadInput as fault:
            yield path, fault


@dataclass(frozen=True, slots=True)
class GameSelection:
    """The games chosen, and one line for each file that is no game."""

    paths: tuple[Path, ...]
    skipped_lines: tuple[str, ...] = ()


def select_games(
    games: Sequence[str], only: Sequence[str] = (), without: Sequence[str] = ()
) -> GameSelection:
    """Return the games or trajectories in files and folders, each once, by floor plan."""
    found, skipped, filtered = list[Path](), list[str](), 0
    wanted, unwanted = game_header.place_names(only), game_header.place_names(without)
    for path, head in game_headings(games):
        if isinstance(head, errors.BadInput):
            skipped.append(head.one_line)
        elif head.place not in unwanted and (not wanted or head.place in wanted):
            found.append(path)
        else:
            filtered += 1
    if filtered and not found:
        raise errors.BadInput("no game is left", fix="remove a filter")
    return GameSelection(tuple(found), tuple(skipped))


def _read_first(other: Path, path: Path) -> object:
    """Return the content of the game that had the id of `path` first."""
    try:
        return files.read_json(other, files.GAME)
    except errors.BadInput as fault:
        why = f"has the id of {other}, which {fault.what}"
        raise errors.BadInput(why, where=str(path), fix="remove the damaged file") from fault


def instance_jobs(
    options: EvalOptions, track_progress: TrackProgress, skipped_rows: list[SessionRow]
) -> Iterator[SessionJob]:
    """Yield a job for each instance of the run's kind; unreadable ones go to `skipped_rows`.

    With `DialogueSource.OTHER`, each names the next instance of another game, in their order.
    """
    jobs = list(_own_jobs(options, track_progress, skipped_rows))
    for i, job in enumerate(jobs):
        if options.dialogue is DialogueSource.OTHER:
            others = (each for each in (*jobs[i + 1 :], *jobs[:i]) if each.game_id != job.game_id)
            job = replace(job, dialogue_path=next((each.path for each in others), None))
        yield job


def _own_jobs(
    options: EvalOptions, track_progress: TrackProgress, skipped_rows: list[SessionRow]
) -> Iterator[SessionJob]:
    paths = records.find_files(options.games, records.INSTANCE_FILES)
    recorded = options.recorded
    known = games_by_id(track_progress(records.find_games(recorded))) if recorded else {}
    for path in track_progress(paths):
        try:
            instance = records.read_instance(path)
            game = known.get(instance.game_id) or find_game_of_instance(path, instance.game_id)
            head = records.read_game_header(game)
        except errors.BadInput as fault:
            skipped_rows.append(unreadable_row(path, fault))
            continue
        if instance.benchmark == options.kind:
            job = SessionJob.from_header(instance.name, head, path, options.seed)
            yield replace(job, game_path=str(game), game_id=instance.game_id)
