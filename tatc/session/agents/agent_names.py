"""The names of agents: those that come with tatc, and those of installed packages.

Only names and where their classes stand; `tatc.session.agents.agents` imports the classes.
"""

from collections.abc import Mapping
from importlib.metadata import entry_points
from types import MappingProxyType

from tatc.base import files
from tatc.follower.learned import LEARNED_FAMILY

_AGENTS = files.package_table("tatc.session.agents", "agents.toml")
COMMANDERS: Mapping[str, str] = MappingProxyType(_AGENTS["commanders"])
"""The Commanders of tatc: four that plan, the negative controls, a simulated user, and a mute one.

`speaker` says what it wants in free words, for a Follower that understands them.  `mute` never says
anything, for comparisons of what dialogue is worth.
"""

PERSON_COMMANDER = "me"
"""The person at the terminal, who is the Commander of `tatc run --commander me`."""

SELF_CONTAINED_COMMANDERS = tuple(COMMANDERS)[:3]  # Commanders that need no program besides tatc

COMMANDERS_WITH_WORDING = tuple(COMMANDERS)[:4]  # Commanders that can speak at any grain

CONTROL_COMMANDERS = tuple(COMMANDERS)[4:7]

FOLLOWERS: Mapping[str, str] = MappingProxyType(_AGENTS["followers"])
"""The Followers of tatc that need no checkpoint."""

CONTROL_FOLLOWERS: Mapping[str, str] = MappingProxyType(_AGENTS["control_followers"])
"""Controls: the listener without one of its parts."""
MODEL_AGENT = "llm"
"""An agent of either role that a language model plays; `llm:MODEL` names the model too."""

MODEL_COMMANDER = "tatc.session.text_world.model_agents:ModelCommander"
MODEL_FOLLOWER = "tatc.session.text_world.model_agents:ModelFollower"

COMMANDER_GROUP, FOLLOWER_GROUP = "tatc.commanders", "tatc.followers"
"""The entry-point groups in which installed packages offer agents."""


def installed_agents(group: str) -> dict[str, str]:
    """Return the agents of installed packages: `module:Class` by name."""
    return {each.name: each.value for each in entry_points(group=group)}


def comes_with_tatc(name: str) -> bool:
    """Return whether a name is that of an agent of tatc's, with the checkpoint of tatc's."""
    learned = ":" not in name and name.partition("-")[0] == LEARNED_FAMILY
    shipped = name in COMMANDERS or name in FOLLOWERS or name in CONTROL_FOLLOWERS
    return shipped or learned or is_model_agent(name)


def is_model_agent(name: str) -> bool:
    """Return whether a name is that of an agent that a language model plays."""
    return name.partition(":")[0] == MODEL_AGENT


def model_in_agent_name(name: str) -> str:
    """Return the model in `llm:MODEL`, "" for `llm` alone."""
    return name.partition(":")[2]


def commander_names() -> tuple[str, ...]:
    """Return the names of all Commanders that are installed."""
    return (*COMMANDERS, MODEL_AGENT, *installed_agents(COMMANDER_GROUP))


def follower_names() -> tuple[str, ...]:
    """Return the names of all Followers that are installed, learned ones included."""
    shipped = (*FOLLOWERS, *CONTROL_FOLLOWERS, LEARNED_FAMILY, MODEL_AGENT)
    return (*shipped, *installed_agents(FOLLOWER_GROUP))


def is_learned_name(name: str) -> bool:
    """Return whether this is the name of a learned Follower."""
    family = name.partition(":")[0]
    return family == LEARNED_FAMILY or family.startswith(f"{LEARNED_FAMILY}-")
