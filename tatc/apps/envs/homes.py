"""Many homes as one vector environment of Gymnasium, in this process or divided among several.

`gymnasium.make_vec` makes one of any of tatc's environments.  It does as Gymnasium's
`SyncVectorEnv` in a part of the time that this adds to a home's step: nothing is copied twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import chain
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv, utils

from tatc.base import arguments, errors
from tatc.base.process_pool import ProcessPool, WorkerDied

_iterate: Callable[..., Iterable[Any]] = cast(Any, utils.iterate)  # its types are incomplete

Env = gymnasium.Env[Any, Any]
Request = tuple[str, tuple[Any, ...], dict[str, Any]]
"""A method of many homes, with its arguments."""


class VectorOfHomes(VectorEnv[Any, Any, Any]):
    """Homes of one environment; one whose episode is over begins anew at the next step."""

    def __init__(
        self, env: type[Env], num_envs: int = 1, processes: int | None = None, **options: Any
    ) -> None:
        """Make homes of a class with options, here, or divided among `processes` of their own."""
        self.num_envs = arguments.check_number_from(1, None, num_envs, "num_envs")
        make = partial(env, **options)
        home = make()
        self.metadata = {**home.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.render_mode = home.render_mode
        self.single_observation_space = home.observation_space
        self.single_action_space = home.action_space
        self.observation_space = utils.batch_space(home.observation_space, self.num_envs)
        self.action_space = self._batch = utils.batch_space(home.action_space, self.num_envs)
        home.close()
        if processes is None:
            parts = [_Homes(make, self.num_envs)]
        else:
            count = arguments.check_number_from(1, self.num_envs, processes, "processes")
            numbers = [len(each) for each in np.array_split(range(self.num_envs), count)]
            parts = [_HomesElsewhere(make, number) for number in numbers]
        self._parts: Sequence[_Homes | _HomesElsewhere] = parts

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start a session in each home, or in those that `options["reset_mask"]` is true of.

        A seed is that of the first home, the next home's is one greater; or each has its own.
        """
        first = 0 if seed is None or isinstance(seed, Sequence) else seed
        numbered = [None if seed is None else first + i for i in range(self.num_envs)]
        seeds = seed if isinstance(seed, Sequence) else numbered
        given = dict(options or {})
        mask: Sequence[bool] = given.pop("reset_mask", [True] * self.num_envs)
        for name, each in (("seed", seeds), ("reset_mask", mask)):
            if len(each) != self.num_envs:
                why = f"should be {self.num_envs} values, one for each home, is {len(each)}"
                raise errors.BadInput(why, where=name, fix="give one for each")
        seen, infos = map(_join, zip(*self._ask("reset", seeds, mask, options=given), strict=True))
        return seen, _join_infos(infos)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take an action in each home."""
        given = [*_iterate(self._batch, actions)]
        if len(given) != self.num_envs:
            why = f"should be {self.num_envs} actions, one for each home, is {len(given)}"
            raise errors.BadInput(why, where="actions", fix="give one for each")
        seen, rewards, done, cut, infos = map(_join, zip(*self._ask("step", given), strict=True))
        return seen, rewards, done, cut, _join_infos(infos)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return each home's attribute of a name, or what it returns if it is a method."""
        return _join(self._ask("call", attribute=name, args=args, kwargs=kwargs))

    get_attr = call

    def render(self) -> tuple[Any, ...]:
        """Return what each home's `render` returns."""
        return self.call("render")

    def close_extras(self, **kwargs: Any) -> None:
        """Free the homes' resources, and end their processes."""
        for part in getattr(self, "_parts", ()):
            part.close()

    def _ask(self, name: str, *divided: Sequence[Any], **shared: Any) -> list[Any]:
        """Call a method of all parts at once, each with its homes' share of what is divided."""
        end = 0
        for part in self._parts:
            begin, end = end, end + part.count
            part.ask(name, *(each[begin:end] for each in divided), **shared)
        return [part.answer() for part in self._parts]


class _Homes:
    """Homes in this process."""

    def __init__(self, make: Callable[[], Env], count: int) -> None:
        self.count, self._homes = count, [make() for _ in range(count)]
        self._seen: list[Any] = [None] * count
        self._is_over = [False] * count
        self._answer: Callable[[], Any] = tuple[Any, ...]

    def ask(self, name: str, *args: Any, **kwargs: Any) -> None:
        self._answer = partial(getattr(self, name), *args, **kwargs)

    def answer(self) -> Any:
        return self._answer()

    def reset(
        self, seeds: Sequence[int | None], mask: Sequence[bool], *, options: dict[str, Any]
    ) -> tuple[Any, tuple[dict[str, Any], ...]]:
        infos: list[dict[str, Any]] = [{}] * self.count
        for i, home in enumerate(self._homes):
            if mask[i]:
                self._seen[i], infos[i] = home.reset(seed=seeds[i], options=options or None)
                self._is_over[i] = False
        return self._observations(), tuple(infos)

    def step(self, actions: Sequence[Any]) -> tuple[Any, Any, Any, Any, tuple[dict[str, Any], ...]]:
        outcomes = [*map(self._step, range(self.count), actions)]
        rewards, done, cut, infos = zip(*outcomes, strict=True)
        ends = np.array(done, np.bool_), np.array(cut, np.bool_)
        return self._observations(), np.array(rewards, np.float64), *ends, infos

    def _step(self, i: int, action: Any) -> tuple[float, bool, bool, dict[str, Any]]:
        home = self._homes[i]
        if self._is_over[i]:
            self._seen[i], info = home.reset()
            self._is_over[i] = False
            return 0.0, False, False, info
        self._seen[i], reward, done, cut, info = home.step(action)
        self._is_over[i] = done or cut
        return float(reward), done, cut, info

    def call(
        self, attribute: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        found = (getattr(home, attribute) for home in self._homes)
        return tuple(each(*args, **kwargs) if callable(each) else each for each in found)

    def close(self) -> None:
        for home in self._homes:
            home.close()

    def _observations(self) -> Any:
        space = self._homes[0].observation_space
        return utils.concatenate(space, self._seen, utils.create_empty_array(space, self.count))


class _HomesElsewhere:
    """Homes in a process of their own."""

    def __init__(self, make: Callable[[], Env], count: int) -> None:
        self.count = count
        self._pool = ProcessPool[Request, Any](partial(_serve, make, count), 1)
        self._future: Future[Any] = Future()

    def ask(self, name: str, *args: Any, **kwargs: Any) -> None:
        self._future = self._pool.submit((name, args, kwargs))

    def answer(self) -> Any:
        try:
            return self._future.result()
        except WorkerDied as death:
            fix = "call reset, which starts it anew"
            raise errors.TatcError(f"the homes are lost: {death}", fix=fix) from death

    def close(self) -> None:
        self._pool.__exit__()


def _serve(make: Callable[[], Env], count: int) -> Callable[[Request, object], Any]:
    homes = _Homes(make, count)

    def do(request: Request, report: object) -> Any:
        name, args, kwargs = request
        homes.ask(name, *args, **kwargs)
        return homes.answer()

    return do


def _join(parts: Sequence[Any]) -> Any:
    """Return what parts of a vector answered as one answer."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], dict):
        names = cast("dict[str, Any]", parts[0])
        return {name: _join([part[name] for part in parts]) for name in names}
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return tuple(chain.from_iterable(parts))


def _join_infos(infos: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return infos as Gymnasium has them in a vector: arrays, and masks of the homes that have one.

    Where a home has none, numbers are 0, and all else is None.
    """
    found = dict[str, Any]()
    for name in dict.fromkeys(chain.from_iterable(infos)):
        there = [name in info for info in infos]
        value = infos[there.index(True)][name]
        blank = type(value)() if type(value) in (bool, int, float) else None
        array = np.full(len(infos), blank)
        array[:] = [info.get(name, blank) for info in infos]
        found |= {name: array, f"_{name}": np.array(there)}
    return found
