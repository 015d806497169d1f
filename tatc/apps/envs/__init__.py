"""Sessions as environments to train and test agents in (extra `gym`).

`tatc/Follower-v0` and `tatc/FollowerSymbolic-v0` are Gymnasium environments for the
Follower, with any Commander, and `tatc/TextFollower-v0` is the Follower in the text world, of
which `gymnasium.make_vec` makes many in one process; `tatc/ALFRED-v0` plays ALFRED's
trajectories in ALFRED's action space.  Importing this package registers them.
`dialogue_v0` has both agents: in `env()` they act in turns (PettingZoo's AEC), and
`parallel_env()` asks both at each step.  `docs/how-to/environments.md` describes the spaces.
"""

from collections.abc import Callable
from functools import partial
from typing import cast

from tatc.base.errors import MissingExtra

MissingExtra.check("gym", "gymnasium", "pettingzoo")

# These need the extra.
import gymnasium  # noqa: E402

from tatc.apps.envs.alfred_env import AlfredEnv  # noqa: E402
from tatc.apps.envs.follower_env import FollowerEnv  # noqa: E402
from tatc.apps.envs.homes import VectorOfHomes  # noqa: E402
from tatc.apps.envs.text_follower_env import TextFollowerEnv  # noqa: E402

__all__ = [
    "ALFRED_ENV_ID",
    "FOLLOWER_ENV_ID",
    "FOLLOWER_SYMBOLIC_ENV_ID",
    "TEXT_FOLLOWER_ENV_ID",
    "AlfredEnv",
    "FollowerEnv",
    "TextFollowerEnv",
]

ALFRED_ENV_ID = "tatc/ALFRED-v0"
FOLLOWER_ENV_ID = "tatc/Follower-v0"
FOLLOWER_SYMBOLIC_ENV_ID = "tatc/FollowerSymbolic-v0"
TEXT_FOLLOWER_ENV_ID = "tatc/TextFollower-v0"

follower_homes, text_homes, alfred_homes = (
    partial(VectorOfHomes, each) for each in (FollowerEnv, TextFollowerEnv, AlfredEnv)
)
"""What `gymnasium.make_vec` makes many homes of one environment with."""

_register = cast(Callable[..., None], getattr(gymnasium, "register"))  # noqa: B009
_SYMBOLIC = {"symbolic": True}
for _id, _one, _many, _options in (
    (FOLLOWER_ENV_ID, "FollowerEnv", "follower_homes", None),
    (FOLLOWER_SYMBOLIC_ENV_ID, "FollowerEnv", "follower_homes", _SYMBOLIC),
    (TEXT_FOLLOWER_ENV_ID, "TextFollowerEnv", "text_homes", None),
    (ALFRED_ENV_ID, "AlfredEnv", "alfred_homes", None),
):
    _many = f"{__name__}:{_many}"
    _register(_id, f"{__name__}:{_one}", vector_entry_point=_many, kwargs=_options)
