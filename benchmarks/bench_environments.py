"""The Gymnasium environments' speed: processor time on one core; of two processes, the clock's.

A step is an action and all that it returns.  `moves and turns` and frames leave the time of resets
out, and so does `homes in one process`; the others do not.  Many homes in one process are compared
with one that takes as few steps after a reset: the more it takes, the more of its views it knows.
"""

import random
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import gymnasium

from tatc.apps.envs import FOLLOWER_ENV_ID, FOLLOWER_SYMBOLIC_ENV_ID, DividedVector, spaces
from tatc.home.actions import TRANSLATION_VERBS, Verb

Figure = tuple[str, float, str]
ROUNDS, ROUND_SECONDS = 5, 2.0
HOME_COUNTS = (8, 64)
START_COUNT = 64
STEPS_OF_AN_EPISODE = 800
"""Steps between two resets, fewer than would end an episode."""
BYTES_PER_KIBIBYTE = 1024
_WALKING = (*TRANSLATION_VERBS, Verb.TURN_LEFT, Verb.TURN_RIGHT)
WALKING_NUMBERS = [i for i, v in enumerate(spaces.FOLLOWER_ENV_VERBS) if v in _WALKING]


def run(games: Path | None = None) -> Iterator[Figure]:
    """Yield name, value and unit of each measure."""
    symbolic = gymnasium.make(FOLLOWER_SYMBOLIC_ENV_ID, disable_env_checker=True)
    yield "symbolic, moves and turns", _speed(symbolic, WALKING_NUMBERS), "1/s"
    all_numbers = range(len(spaces.FOLLOWER_ENV_VERBS))
    yield "symbolic, random actions with resets", _speed(symbolic, all_numbers, resets=True), "1/s"
    yield "symbolic, a reset", _reset_ms(symbolic), "ms"
    kept = gymnasium.make(FOLLOWER_SYMBOLIC_ENV_ID, starts=START_COUNT, disable_env_checker=True)
    resets = f"symbolic, of {START_COUNT} starts"
    yield f"{resets}, random actions with resets", _speed(kept, all_numbers, resets=True), "1/s"
    yield f"{resets}, a reset", _reset_ms(kept), "ms"
    for quality in spaces.FRAME_QUALITIES:
        frames = gymnasium.make(FOLLOWER_ENV_ID, size=64, quality=quality, disable_env_checker=True)
        speed = _speed(frames, WALKING_NUMBERS)
        yield f"frames of 64 x 64 with types, quality {quality}", speed, "1/s"
    alone = _homes_speed(gymnasium.make_vec(FOLLOWER_SYMBOLIC_ENV_ID, num_envs=1))
    for count in HOME_COUNTS:
        before = _memory_bytes()
        homes = gymnasium.make_vec(FOLLOWER_SYMBOLIC_ENV_ID, num_envs=count)
        over = _homes_speed(homes) / alone
        yield f"symbolic, {count} homes in one process, over one home", over, ""
        yield f"memory of {count} homes", (_memory_bytes() - before) / 1e6, "MB"
        homes.close()
    most = HOME_COUNTS[-1]
    one, two = (_wall_speed(most, processes) for processes in (1, 2))
    yield f"symbolic, {most} homes divided among two processes, over one process", two / one, ""


def _speed(env: Any, numbers: Any, *, resets: bool = False) -> float:
    """Return the median over the rounds of the steps a processor second."""
    rng, found = random.Random(1), list[float]()
    is_symbolic = isinstance(env.action_space, gymnasium.spaces.MultiDiscrete)
    types = range(len(spaces.OBJECT_TYPES) + 1)
    for _ in range(1 + ROUNDS):  # the first warms up
        env.reset(seed=1)
        began, steps, reset_seconds = time.process_time(), 0, 0.0
        while time.process_time() - began < ROUND_SECONDS:
            verb = rng.choice(numbers)
            pair = verb, rng.choice(types)
            action = pair if is_symbolic else {"verb": verb, "click": (0.5, 0.5), "text": ""}
            *_, done, cut, _ = env.step(action)
            steps += 1
            if done or cut:
                start = time.process_time()
                env.reset(seed=rng.randrange(2**20))
                reset_seconds += time.process_time() - start
        taken = time.process_time() - began
        found.append(steps / (taken if resets else taken - reset_seconds))
    return median(found[1:])


def _reset_ms(env: Any) -> float:
    seconds, count = list[float](), 4 * START_COUNT
    for seed in range(count):
        began = time.process_time()
        env.reset(seed=seed)
        seconds.append(time.process_time() - began)
    return median(seconds[count // 2 :]) * 1e3


def _walking_actions(rng: random.Random, count: int) -> list[list[int]]:
    return [[rng.choice(WALKING_NUMBERS), 0] for _ in range(count)]


def _homes_speed(homes: Any) -> float:
    """Return the steps a processor second of all homes together, without resets."""
    count, rng, found = homes.num_envs, random.Random(1), list[float]()
    for number in range(1 + ROUNDS * HOME_COUNTS[-1] // count):
        homes.reset(seed=number)
        began, steps = time.process_time(), 0
        for _ in range(STEPS_OF_AN_EPISODE // HOME_COUNTS[0]):
            homes.step(_walking_actions(rng, count))
            steps += count
        found.append(steps / (time.process_time() - began))
    return median(found[1:])


def _wall_speed(count: int, processes: int) -> float:
    """Return the steps a second, by the clock, of homes that are divided among processes."""
    homes = DividedVector(FOLLOWER_SYMBOLIC_ENV_ID, count, processes)
    rng, found, steps = random.Random(1), list[float](), STEPS_OF_AN_EPISODE // HOME_COUNTS[0]
    for number in range(1 + ROUNDS):
        homes.reset(seed=number)
        began = time.perf_counter()
        for _ in range(steps):
            homes.step(_walking_actions(rng, count))
        found.append(count * steps / (time.perf_counter() - began))
    homes.close()
    return median(found[1:])


def _memory_bytes() -> float:
    """Return the most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_PER_KIBIBYTE
