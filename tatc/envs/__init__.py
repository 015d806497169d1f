"""Sessions as environments to train and test agents in (extra `gym`).

`tatc/Follower-v0` and `tatc/FollowerSymbolic-v0` are Gymnasium environments for the
Follower, with any Commander; importing this package registers them.  `dialogue_v0` has
both agents: in `env()` they act in turns (PettingZoo's AEC), and `parallel_env()` asks both
at each step.  `docs/guides/environments.md` describes the spaces.
"""

from collections.abc import Callable
from typing import cast

from tatc.errors import MissingExtra

MissingExtra.check("gym", "gymnasium", "pettingzoo")

# These need the extra.
import gymnasium  # noqa: E402

from tatc.envs.follower_env import FollowerEnv  # noqa: E402

__all__ = ["FOLLOWER_ENV_ID", "FOLLOWER_SYMBOLIC_ENV_ID", "FollowerEnv"]

FOLLOWER_ENV_ID = "tatc/Follower-v0"
FOLLOWER_SYMBOLIC_ENV_ID = "tatc/FollowerSymbolic-v0"

_register = cast(Callable[..., None], getattr(gymnasium, "register"))  # noqa: B009
_register(FOLLOWER_ENV_ID, entry_point="tatc.envs.follower_env:FollowerEnv")
_register(
    FOLLOWER_SYMBOLIC_ENV_ID,
    entry_point="tatc.envs.follower_env:FollowerEnv",
    kwargs={"symbolic": True},
)
