"""The memory of names that the Followers of a comparison know."""

from collections.abc import Iterable
from dataclasses import replace

from tatc.base.errors import BadInput
from tatc.evaluation.instances.instance_players import player_class
from tatc.session.agents.dialogue_readers import recalls_names
from tatc.session.agents.session_setup import SessionSetup


def with_memory_if_any(setup: SessionSetup) -> SessionSetup:
    """Return the setup, without its memory for a Follower that recalls no names.

    Raises:
        BadInput: the Follower does not exist.

    """
    if setup.memory is None or recalls_names(player_class(setup.follower)):
        return setup
    return replace(setup, memory=None)


def check_one_recalls(setup: SessionSetup, followers: Iterable[str]) -> None:
    """Check that a memory is named only if one of several Followers can recall names from it.

    Raises:
        BadInput: none can, or one does not exist.

    """
    if setup.memory is None or any(recalls_names(player_class(each)) for each in followers):
        return
    why = "none of the Followers reads dialogue that could recall a name"
    raise BadInput(why, where="--memory", fix="leave it out, or name --follower listener")
