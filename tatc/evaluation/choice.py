"""Which sessions a run holds: filters, a sample, a shard."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product

from tatc.errors import BadInput
from tatc.evaluation.games import headings, places_of
from tatc.evaluation.instances.choosing import jobs_of
from tatc.evaluation.jobs import Job, Track
from tatc.evaluation.options import TATC, Options
from tatc.evaluation.rows import Row
from tatc.scoring.published import BENCHMARK
from tatc.sim.rooms import Room, load_room, room_names
from tatc.tdl import Library


@dataclass(frozen=True, slots=True)
class Chosen:
    """The sessions of a run, and the rows of files that are no games."""

    jobs: tuple[Job, ...]
    refused: tuple[Row, ...] = ()


def choose(
    options: Options, library: Library, track: Track = lambda paths: paths
) -> Chosen:
    """Return the sessions that the options name, in the order of their keys.

    Raises:
        BadInput: a task, a room or a game does not exist, or nothing is left.

    """
    refused: list[Row] = []
    names = tuple(library.find(task).name for task in options.tasks)
    if options.kind != TATC:
        found = list(jobs_of(options, track, refused))
    elif options.games:
        found = list(_in_games(options, track, refused))
    else:
        found = list(_in_rooms(options, names or BENCHMARK))
    found = [job for job in found if not names or job.task in names]
    only, without = map(places_of, (options.only_plans, options.without_plans))
    found = [job for job in found if not only or job.place in only]
    found = [job for job in found if job.place not in without]
    if options.limit is not None:
        found = sample(found, options.limit, options.seed)
    found.sort(key=lambda job: job.key)
    i, n = options.shard
    if not found and not refused:
        raise BadInput("no session is left to run", fix="take away a filter")
    return Chosen(tuple(found[i - 1 :: n]), tuple(refused) if i == 1 else ())


def sample(jobs: Sequence[Job], limit: int, seed: int) -> list[Job]:
    """Return `limit` sessions (or all) with each task in proportion.

    Which of a task's sessions are taken depends on the seed and their own keys alone.
    """
    by_task: defaultdict[str, list[Job]] = defaultdict(list)
    for job in jobs:
        by_task[job.task].append(job)
    parts = _shares({task: len(own) for task, own in by_task.items()}, limit)
    return [
        job
        for task, count in parts.items()
        for job in sorted(by_task[task], key=lambda job: _draw(job, seed))[:count]
    ]


def _shares(sizes: dict[str, int], limit: int) -> dict[str, int]:
    """Split a limit in proportion to sizes; what is left goes to the largest rests."""
    total = sum(sizes.values())
    if limit >= total:
        return sizes
    whole = {task: size * limit // total for task, size in sizes.items()}
    rests = sorted(sizes, key=lambda task: (-(sizes[task] * limit % total), task))
    for task in rests[: limit - sum(whole.values())]:
        whole[task] += 1
    return whole


def _draw(job: Job, seed: int) -> str:
    return sha256(f"{seed} {job.key}".encode()).hexdigest()


def _in_games(options: Options, track: Track, refused: list[Row]) -> Iterator[Job]:
    for path, head in headings(options.games, track):
        if isinstance(head, BadInput):
            refused.append(Row(key=path.name, task="", skipped=head.line))
            continue
        yield Job(
            head.game_id,
            head.task_name,
            head.place,
            head.kind.value,
            head.split,
            str(path),
            options.seed,
        )


def _in_rooms(options: Options, tasks: Sequence[str]) -> Iterator[Job]:
    named = {name: load_room(name) for name in options.rooms or room_names()}
    _check_apart(named)
    for (name, room), task, seed in product(named.items(), tasks, options.seeds):
        key = f"{room.name}_{task.lower().replace(' ', '-')}_{seed}"
        kind = room.kind.value
        yield Job(key, task, room.name, kind, "rooms", seed=seed, room=name)


def _check_apart(named: Mapping[str, Room]) -> None:
    """Check that no two rooms go by one name, by which their sessions are told."""
    first: dict[str, str] = {}
    for given, room in named.items():
        if room.name in first:
            raise BadInput(
                f"holds a room {room.name}, as {first[room.name]} does",
                where=given,
                fix="give the rooms' files names of their own in the field name",
            )
        first[room.name] = given
