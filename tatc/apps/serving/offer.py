"""What a server offers to play: one start, one role, and the agent in the other role."""

from collections.abc import Collection
from dataclasses import dataclass

from tatc.base.errors import BadInput, UnknownName
from tatc.home.actions import ROLES_BY_NAME, Role
from tatc.language import Wording
from tatc.session.agents.agent_names import COMMANDERS_WITH_WORDING, is_model_agent
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.start import SessionStart
from tatc.session.text_world import Grain
from tatc.session.tool_session import ToolSession

BOTH = "both"
"""How a user names both roles."""


@dataclass(frozen=True, slots=True)
class SessionOffer:
    """Sessions that begin at `opening`, with a client as `role` and `setup`'s agent as the other.

    `grain` is how much one call of a Follower does.
    """

    start: SessionStart
    setup: SessionSetup
    role: Role
    grain: Grain = Grain.GO_TO

    def begin(self) -> ToolSession:
        """Return a new session."""
        return ToolSession(self.start, self.setup, plays=(self.role,), grain=self.grain)


def parse_role(name: str) -> Role:
    """Return the role that a user names."""
    if name not in ROLES_BY_NAME:
        raise UnknownName("role", name, ROLES_BY_NAME, fix=f"name {' or '.join(ROLES_BY_NAME)}")
    return ROLES_BY_NAME[name]


def parse_roles(name: str) -> tuple[Role, ...]:
    """Return the roles that a user names: one of them, or both."""
    if name == BOTH:
        return tuple(Role)
    if name not in ROLES_BY_NAME:
        known = (*ROLES_BY_NAME, BOTH)
        raise UnknownName("role", name, known, fix=f"name {', '.join(known)}")
    return (ROLES_BY_NAME[name],)


def parse_grain(name: str) -> Grain:
    """Return the grain that a user names."""
    if name not in list(Grain):
        raise UnknownName("grain", name, (*Grain,), fix=f"name {' or '.join(Grain)}")
    return Grain(name)


def setup_for(
    played: Collection[Role], commander: str | None, follower: str | None, wording: str | None
) -> SessionSetup:
    """Return the setup in which tool calls play some roles, and agents the others; None is `rule`.

    Without a wording the rule Commander speaks in steps, which name objects and no clicks.
    """
    _check_no_model(follower, "follower")
    _check_no_model(commander, "commander")
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


def _check_no_model(named: str | None, option: str) -> None:
    if named is not None and is_model_agent(named):
        why = f"{named} does not play beside an agent that tool calls play"
        fix = (
            "name another agent, or have models play both: tatc run --commander llm --follower llm"
        )
        raise BadInput(why, where=option, fix=fix)


def _check_not_named(named: str | None, option: str, played: Role) -> None:
    if named is not None:
        why = f"tool calls play the {played.name.title()} already"
        raise BadInput(why, where=option, fix="leave it out, or play the other role")
