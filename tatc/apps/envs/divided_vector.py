"""Many homes divided among processes, as one vector environment of Gymnasium.

Gymnasium's `AsyncVectorEnv` has a process for each home, and waits for all of them at each step:
that takes as long as a home's own step.  Here each process has a vector of many homes.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import accumulate, chain, pairwise
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv, utils

from tatc.base import arguments, errors
from tatc.base.process_pool import ProcessPool, WorkerDied

_iterate: Callable[..., Iterable[Any]] = cast(Any, utils.iterate)  # its types are incomplete

Request = tuple[str, tuple[Any, ...], dict[str, Any]]
"""A method of a vector of homes, with its arguments."""


class DividedVector(VectorEnv[Any, Any, Any]):
    """Homes in several processes that do as in Gymnasium's `SyncVectorEnv`.

    A home whose episode is over ignores the next action and begins anew.
    What has a value for each home has `num_envs` rows.  Another number of seeds or actions is a
    BadInput.  Where a process dies, a TatcError says so, and `reset` starts it anew.
    """

    def __init__(self, env_id: str, num_envs: int, processes: int, **options: Any) -> None:
        """Divide homes evenly; `options` are those of the environment, and are pickled."""
        num_envs = self.num_envs = arguments.check_number_from(1, None, num_envs, "num_envs")
        count = arguments.check_number_from(1, num_envs, processes, "processes")
        home = gymnasium.make(env_id, **options)
        self.metadata = {**home.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.spec, self.render_mode = home.spec, home.render_mode
        self.single_observation_space = home.observation_space
        self.single_action_space: gymnasium.Space[Any] = home.action_space
        self.observation_space = utils.batch_space(home.observation_space, num_envs)
        self.action_space = self._actions = utils.batch_space(home.action_space, num_envs)
        home.close()
        self._sizes = sizes = [len(each) for each in np.array_split(range(num_envs), count)]
        self._parts = [slice(*ends) for ends in pairwise(accumulate(sizes, initial=0))]
        makes = (partial(_serve, env_id, size, options) for size in sizes)
        self._pools = [ProcessPool[Request, Any](make, 1) for make in makes]

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start a session in each home; `options["reset_mask"]` is refused.

        One seed is the first home's, and each next home has one more.  A sequence has a seed for
        each home, None for any.
        """
        if "reset_mask" in (options or {}):
            why = "cannot be given for homes in several processes"
            raise errors.BadInput(why, where="options: reset_mask", fix="reset all of them")
        if seed is None:
            seeds: Sequence[int | None] = [None] * self.num_envs
        else:
            is_each = isinstance(seed, Sequence)
            seeds = seed if is_each else range(seed, seed + self.num_envs)
        self._check_count(seeds, "seed")
        asked = [("reset", (), {"seed": [*seeds[at]], "options": options}) for at in self._parts]
        seen, infos = zip(*self._ask(asked), strict=True)
        return _join(seen), _join_infos(infos, self._sizes)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take an action in each home."""
        given, space = [*_iterate(self._actions, actions)], self.single_action_space
        self._check_count(given, "actions")
        shares = (given[at] for at in self._parts)
        batches = (
            utils.concatenate(space, each, utils.create_empty_array(space, len(each)))
            for each in shares
        )
        answers = self._ask([("step", (each,), {}) for each in batches])
        seen, rewards, done, cut, infos = zip(*answers, strict=True)
        return _join(seen), _join(rewards), _join(done), _join(cut), _join_infos(infos, self._sizes)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return each home's attribute of a name, or what it returns if it is a method."""
        return _join(self._ask([("call", (name, *args), kwargs)] * len(self._parts)))

    def render(self) -> tuple[Any, ...]:
        """Return what each home's `render` returns."""
        return self.call("render")

    def close_extras(self, **kwargs: Any) -> None:
        """End the processes."""
        for pool in getattr(self, "_pools", ()):
            pool.__exit__()

    def _check_count(self, given: Sequence[Any], where: str) -> None:
        if len(given) != self.num_envs:
            why = f"should be {self.num_envs} values, one for each home, is {len(given)}"
            raise errors.BadInput(why, where=where, fix="give one for each")

    def _ask(self, requests: Sequence[Request]) -> list[Any]:
        """Return what each process answers to its request; they work at once."""
        pairs = zip(self._pools, requests, strict=True)
        return [*map(_answer, [pool.submit(request) for pool, request in pairs])]


def _answer(future: "Future[Any]") -> Any:
    try:
        return future.result()
    except WorkerDied as death:
        fix = "call reset, which starts it anew"
        raise errors.TatcError(f"the homes are lost: {death}", fix=fix) from death


def _serve(env_id: str, count: int, options: dict[str, Any]) -> Callable[[Request, object], Any]:
    homes: Any = gymnasium.make_vec(env_id, count, "sync", vector_kwargs={"copy": False}, **options)

    def do(request: Request, report: object) -> Any:
        name, args, kwargs = request
        return getattr(homes, name)(*args, **kwargs)

    return do


def _join(parts: Sequence[Any]) -> Any:
    """Return what processes answered as one answer."""
    if isinstance(parts[0], dict):
        names = cast("dict[str, Any]", parts[0])
        return {name: _join([part[name] for part in parts]) for name in names}
    return np.concatenate(parts) if isinstance(parts[0], np.ndarray) else (*chain(*parts),)


def _join_infos(parts: Sequence[dict[str, Any]], sizes: Sequence[int]) -> dict[str, Any]:
    """Return infos as one; where no home of a process has one, numbers are 0, all else is None.

    `sizes` are how many homes each process has.
    """
    found = dict[str, Any]()
    for name in dict.fromkeys(chain(*parts)):
        known = next(part[name] for part in parts if name in part)
        if isinstance(known, dict):
            found[name] = _join_infos([part.get(name, {}) for part in parts], sizes)
            continue
        blank, shape = None if known.dtype.hasobject else 0, known.shape[1:]
        blanks = (np.full((size, *shape), blank, known.dtype) for size in sizes)
        pairs = zip(parts, blanks, strict=True)
        found[name] = np.concatenate([part.get(name, each) for part, each in pairs])
    return found
