"""What a server offers to play: one start, one role, and the agent in the other role."""

from collections.abc import Collection
from dataclasses import dataclass

from tatc.actions import Role
from tatc.agent_names import COMMANDERS_WITH_WORDING
from tatc.errors import BadInput
from tatc.language import Wording
from tatc.session.runner import SessionSetup
from tatc.session.start import SessionStart
from tatc.text_world import Grain
from tatc.tool_session import ToolSession

ROLES_BY_NAME = {"follower": Role.FOLLOWER, "commander": Role.COMMANDER}
"""The roles as a user names them."""


@dataclass(frozen=True, slots=True)
class SessionOffer:
    """Sessions that begin at `opening`, with a client as `role` and `setup`'s agent as the other.

    `grain` is how much one call of a Follower does.
    """

    opening: SessionStart
    setup: SessionSetup
    role: Role
    grain: Grain = Grain.GO_TO

    def begin(self) -> ToolSession:
        """Return a new session.

        Raises:
            BadInput: the agent in the other role does not exist.
            AgentCrash: it raised an error.

        """
        return ToolSession(self.opening, self.setup, plays=(self.role,), grain=self.grain)


def parse_role(name: str) -> Role:
    """Return the role that a user names.

    Raises:
        BadInput: there is no such role.

    """
    if name not in ROLES_BY_NAME:
        raise BadInput(f"unknown role {name!r}", fix=f"name {' or '.join(ROLES_BY_NAME)}")
    return ROLES_BY_NAME[name]


def parse_grain(name: str) -> Grain:
    """Return the grain that a user names.

    Raises:
        BadInput: there is no such grain.

    """
    if name not in (*Grain,):
        raise BadInput(f"unknown grain {name!r}", fix=f"name {' or '.join(Grain)}")
    return Grain(name)


def setup_for(
    played: Collection[Role], commander: str | None, follower: str | None, wording: str | None
) -> SessionSetup:
    """Return the setup in which clients play some roles, and agents the others; None is `rule`.

    Without a wording the rule Commander speaks in steps, which name objects and no clicks.

    Raises:
        BadInput: an agent is named for a role that is played, or a wording for a Commander that is.

    """
    if Role.FOLLOWER in played:
        _check_not_named(follower, "follower", Role.FOLLOWER)
    if Role.COMMANDER in played:
        _check_not_named(commander, "commander", Role.COMMANDER)
        _check_not_named(wording, "wording", Role.COMMANDER)
        return SessionSetup(follower=follower or "rule")
    commander = commander or "rule"
    if wording is None:
        wording = Wording.STEPS if commander in COMMANDERS_WITH_WORDING else Wording.ACTIONS
    return SessionSetup(commander=commander, wording=wording)


def _check_not_named(named: str | None, option: str, played: Role) -> None:
    if named is not None:
        why = f"the client plays the {played.name.title()}"
        raise BadInput(why, where=option, fix="leave it out, or play the other role")
