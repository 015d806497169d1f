"""Sessions as environments to train and test agents in (extra `gym`).

`tatc/Follower-v0` and `tatc/FollowerSymbolic-v0` are Gymnasium environments for the
Follower, with any Commander, and `tatc/TextFollower-v0` is the Follower in the text world;
`tatc/ALFRED-v0` plays ALFRED's trajectories in ALFRED's action space.  Importing this package
registers them.  `gymnasium.make_vec` makes many in one process, `DividedVector` in several.
`dialogue_v0` has both agents: in `env()` they act in turns (PettingZoo's AEC), and
`parallel_env()` asks both at each step.  `docs/how-to/environments.md` describes the spaces.
"""

from collections.abc import Callable
from typing import cast

from tatc.base.errors import MissingExtra

MissingExtra.check("gym", "gymnasium", "pettingzoo")

# These need the extra.
import gymnasium  # noqa: E402

from tatc.apps.envs.alfred_env import AlfredEnv  # noqa: E402
from tatc.apps.envs.divided_vector import DividedVector  # noqa: E402
from tatc.apps.envs.follower_env import FollowerEnv  # noqa: E402
from tatc.apps.envs.text_follower_env import TextFollowerEnv  # noqa: E402

__all__ = [
    "ALFRED_ENV_ID",
    "FOLLOWER_ENV_ID",
    "FOLLOWER_SYMBOLIC_ENV_ID",
    "TEXT_FOLLOWER_ENV_ID",
    "AlfredEnv",
    "DividedVector",
    "FollowerEnv",
    "TextFollowerEnv",
]

ALFRED_ENV_ID = "tatc/ALFRED-v0"
FOLLOWER_ENV_ID = "tatc/Follower-v0"
FOLLOWER_SYMBOLIC_ENV_ID = "tatc/FollowerSymbolic-v0"
TEXT_FOLLOWER_ENV_ID = "tatc/TextFollower-v0"

_register = cast(Callable[..., None], getattr(gymnasium, "register"))  # noqa: B009
_register(FOLLOWER_ENV_ID, entry_point=f"{__name__}:FollowerEnv")
_register(
    FOLLOWER_SYMBOLIC_ENV_ID, entry_point=f"{__name__}:FollowerEnv", kwargs={"symbolic": True}
)
_register(TEXT_FOLLOWER_ENV_ID, entry_point=f"{__name__}:TextFollowerEnv")
_register(ALFRED_ENV_ID, entry_point=f"{__name__}:AlfredEnv")
