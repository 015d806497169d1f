"""Examples of many lessons, made in processes and kept in a cache."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from tatc.errors import BadInput
from tatc.evaluation.identity import PACKAGE
from tatc.evaluation.pool import in_processes
from tatc.follower import Follower
from tatc.follower.et.light.sight import KNOWN
from tatc.language import Wording
from tatc.sim.rooms.catalogue import kinds
from tatc.tdl import Library, load_library
from tatc.training.cache import Cache
from tatc.training.examples import Example
from tatc.training.lessons import opening_of, teach
from tatc.training.recorded import examples_of

PIECES = (
    "AppleSliced",
    "BreadSliced",
    "EggCracked",
    "LettuceSliced",
    "PotatoSliced",
    "TomatoSliced",
)
"""Types that come of others in a session."""

CLASSES = (*sorted(kinds()), *PIECES)
"""Object types that a light Follower knows by name."""

INPUTS = (
    "actions.py",
    "affordances.py",
    "camera",
    "commander",
    "follower/et/light/history.py",
    "follower/et/light/sight.py",
    "language",
    "opening.py",
    "planners",
    "session",
    "sim",
    "state.py",
    "tdl",
    "training/examples.py",
    "training/lessons.py",
)
"""Parts of the program on which examples depend."""
GAMES = (
    "evaluation/instances/course.py",
    "follower/et/light/recall.py",
    "records",
    "training/recorded.py",
)
"""Parts on which those of recorded games depend besides."""
STUDENTS = ("follower",)
"""Parts on which those of a student depend besides."""

Job = TypeVar("Job")

CHUNK = 10
"""Lessons that are made and kept together."""


@dataclass(frozen=True, slots=True)
class Course:
    """Lessons from a first seed on; a student (a file) carries out a share of them."""

    first: int
    lessons: int
    wordings: tuple[Wording, ...] = tuple(Wording)
    student: Path | None = None
    share: float = 0.0

    def chunks(self) -> tuple[range, ...]:
        """Return the seeds of the lessons, chunk by chunk."""
        end = self.first + self.lessons
        starts = range(self.first, end, CHUNK)
        return tuple(range(start, min(start + CHUNK, end)) for start in starts)


def numbered_classes() -> dict[str, int]:
    """Return the number of each class."""
    return {name: i for i, name in enumerate(CLASSES, KNOWN)}


def collect(
    course: Course,
    cache: Cache,
    *,
    workers: int = 1,
    told: Callable[[int], None] = lambda lessons: None,
) -> tuple[Example, ...]:
    """Return the examples of a course; `told` of each chunk's number of lessons."""
    chunks = course.chunks()
    keys = [_key(course, seeds) for seeds in chunks]
    found: list[Example] = []
    made = _kept(cache, keys, chunks, partial(_chunk, course), workers)
    for seeds, examples in zip(chunks, made, strict=True):
        found += examples
        told(len(seeds))
    return tuple(found)


def collect_games(
    games: Sequence[Path],
    cache: Cache,
    *,
    workers: int = 1,
    told: Callable[[int], None] = lambda games: None,
) -> tuple[Example, ...]:
    """Return the examples of recorded games; `told` of each game that is done."""
    program = _hash(INPUTS + GAMES)
    keys = [(program, CLASSES, sha256(g.read_bytes()).hexdigest()) for g in games]
    found: list[Example] = []
    for examples in _kept(cache, keys, games, _game, workers):
        found += examples
        told(1)
    return tuple(found)


def _kept(
    cache: Cache,
    keys: Sequence[Sequence[object]],
    jobs: Sequence[Job],
    work: Callable[[Job], tuple[Example, ...]],
    workers: int,
) -> Iterator[tuple[Example, ...]]:
    """Yield the examples of each job in order; those not in the cache are made."""
    gone = [not cache.path(key).exists() for key in keys]
    missing = [job for job, lacks in zip(jobs, gone, strict=True) if lacks]
    made = in_processes(work, missing, min(workers, max(len(missing), 1)))
    for job, key, lacks in zip(jobs, keys, gone, strict=True):
        if lacks:
            examples = next(made)
            cache.keep(key, examples)
            yield examples
        else:
            yield cache.get(key, partial(work, job))


def _game(path: Path) -> tuple[Example, ...]:
    return examples_of(path, numbered_classes())


def _key(course: Course, seeds: range) -> tuple[object, ...]:
    wordings = tuple(map(str, course.wordings))
    if course.student is None:
        return _hash(INPUTS), CLASSES, seeds
    student = course.student.read_bytes()
    return _hash(INPUTS + STUDENTS), CLASSES, seeds, wordings, student, course.share


@lru_cache(maxsize=2)
def _hash(parts: tuple[str, ...]) -> str:
    digest = sha256()
    for part in parts:
        top = PACKAGE / part
        files = sorted(top.rglob("*")) if top.is_dir() else [top]
        for path in files:
            if path.suffix in (".py", ".json", ".pddl"):
                digest.update(path.relative_to(PACKAGE).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def _chunk(course: Course, seeds: range) -> tuple[Example, ...]:
    examples: list[Example] = []
    student = None if course.student is None else _student(course.student)
    for seed in seeds:
        try:
            opening = opening_of(seed, _library())
        except BadInput:
            continue
        lesson = teach(
            opening,
            numbered_classes(),
            student=student,
            share=course.share,
            wordings=course.wordings,
        )
        examples += lesson.examples
    return tuple(examples)


@lru_cache(maxsize=1)
def _library() -> Library:
    return load_library([])


def _student(path: Path) -> Follower:
    from tatc.follower.et.light.follower import LightFollower

    return LightFollower.load(path)
