"""What a server offers to play, and its clients' sessions, each of which no other client sees."""

import time
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_hex
from threading import Lock, RLock

from tatc.apps.serving import MAX_SESSIONS
from tatc.base.errors import AgentCrash, BadInput, UnknownName
from tatc.base.files import CLIENT_TOKENS, decode_text, read_bytes
from tatc.base.plain_text import PathShortener
from tatc.home.actions import ROLES_BY_NAME, Role
from tatc.session import records, text_world
from tatc.session.agents.agent_names import is_model_agent
from tatc.session.agents.agents import wording_for_tools
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.start import SessionStart
from tatc.session.tool_session import ToolSession

BOTH = "both"  # how a user names both roles


@dataclass(frozen=True, slots=True)
class SessionOffer:
    """Sessions that begin at `start`, with a client as `role` and `setup`'s agent as the other."""

    start: SessionStart
    setup: SessionSetup
    role: Role
    grain: text_world.Grain = text_world.Grain.GO_TO

    def begin(self) -> ToolSession:
        """Return a new session."""
        return ToolSession(self.start, self.setup, plays=(self.role,), grain=self.grain)


def parse_role(name: str) -> Role:
    """Return the role that a user names."""
    UnknownName.check("role", name, ROLES_BY_NAME)
    return ROLES_BY_NAME[name]


def parse_roles(name: str) -> tuple[Role, ...]:
    """Return the roles that a user names: one of them, or both."""
    if name == BOTH:
        return tuple(Role)
    UnknownName.check("role", name, (*ROLES_BY_NAME, BOTH))
    return (ROLES_BY_NAME[name],)


def setup_for(
    played: Collection[Role], commander: str | None, follower: str | None, wording: str | None
) -> SessionSetup:
    """Return the setup where agents play the other roles: `rule`, in bearings, if unnamed."""
    for option, named in (("follower", follower), ("commander", commander)):
        if named is not None and is_model_agent(named):
            why = f"{named} does not play beside an agent that tool calls play"
            both = "tatc run --commander llm --follower llm"
            fix = f"name another agent, or have models play both: {both}"
            raise BadInput(why, where=option, fix=fix)
    if Role.FOLLOWER in played:
        _check_not_named(follower, "follower", Role.FOLLOWER)
    if Role.COMMANDER in played:
        _check_not_named(commander, "commander", Role.COMMANDER)
        _check_not_named(wording, "wording", Role.COMMANDER)
        return SessionSetup(follower=follower or "rule")
    commander = commander or "rule"
    return SessionSetup(commander=commander, wording=wording_for_tools(commander, wording))


def _check_not_named(named: str | None, option: str, played: Role) -> None:
    if named is not None:
        why = f"tool calls play the {played.name.title()} already"
        raise BadInput(why, where=option, fix="leave it out, or play the other role")


@contextmanager
def crashes_told_to_clients() -> Generator[None]:
    """Leave out of an agent's crash what names folders of this machine."""
    try:
        yield
    except AgentCrash as crash:
        raise AgentCrash(PathShortener.of(()).shorten_in(crash.what)) from crash


_ID_BYTES = 16  # of which no client guesses another's
MAX_SESSIONS_OF_A_CLIENT = 8
MAX_CALLS = 3000  # calls in a session, those that are refused included; then it ends
IDLE_SECONDS = 1800.0  # after so many seconds without a call a session is ended and saved


@dataclass(slots=True)
class _Entry:
    session: ToolSession
    client: str
    last_call: float
    lock: RLock = field(default_factory=RLock)
    calls: int = 0


class SessionTable:
    """Starts sessions, finds those of a client, and hands over the record of each that ends."""

    def __init__(
        self,
        offer: SessionOffer,
        save: Callable[[records.Record], None],
        max_sessions: int = MAX_SESSIONS,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Offer sessions; `save` gets the record of each that ended and in which a client acted."""
        self.offer = offer
        self._save, self._clock = save, clock
        self._max_sessions = max_sessions
        self._entries: dict[str, _Entry] = {}
        self._lock = Lock()

    def start(self, client: str) -> str:
        """Start a session; return its id, the rules, and what the client's agent reads first."""
        with self._lock:
            self._end_idle()
            self._check_room_for(client)
            session = self.offer.begin()
            session_id = token_hex(_ID_BYTES)
            self._entries[session_id] = _Entry(session, client, self._clock())
        role = self.offer.role
        started = text_world.server_words("started", session=session_id)
        return f"{started}\n{text_world.rules_for(role)}\n\n{session.text(role)}"

    def call(self, client: str, session_id: str | None, name: str, arguments: object) -> str:
        """Carry out a call in a session, by default the last one; return what its agent reads."""
        session_id, entry = self._find(client, session_id)
        with entry.lock:
            entry.last_call, entry.calls = self._clock(), entry.calls + 1
            try:
                with crashes_told_to_clients():
                    text = entry.session.call(self.offer.role, name, arguments)
            except AgentCrash:
                self._end(session_id, records.SessionEnd.CRASHED)
                raise
            if entry.session.end is None and entry.calls < MAX_CALLS:
                return text
            return f"{text}\n{self._end(session_id)}"

    def close(self) -> None:
        """End all sessions."""
        for session_id in tuple(self._entries):
            self._end(session_id)

    def _find(self, client: str, session_id: str | None) -> tuple[str, _Entry]:
        with self._lock:
            self._end_idle()
            own = {name: e for name, e in self._entries.items() if e.client == client}
        if session_id is None and own:
            session_id = next(reversed(own))
        if session_id is None:
            raise BadInput("no session is going on", fix="call start")
        if session_id not in own:
            raise BadInput(f"you have no session {session_id[:40]!r}", fix="call start for one")
        return session_id, own[session_id]

    def _check_room_for(self, client: str) -> None:
        own = sum(entry.client == client for entry in self._entries.values())
        if own >= MAX_SESSIONS_OF_A_CLIENT:
            raise BadInput(f"you have as many sessions as you may ({own})", fix="call stop in one")
        if len(self._entries) >= self._max_sessions:
            why = f"this server has as many sessions as it may ({self._max_sessions})"
            raise BadInput(why, fix="try again later")

    def _end_idle(self) -> None:
        latest = self._clock() - IDLE_SECONDS
        idle = [name for name, entry in self._entries.items() if entry.last_call < latest]
        for session_id in idle:
            self._end(session_id)

    def _end(self, session_id: str, end: records.SessionEnd | None = None) -> str:
        """End and save a session, if that was not done; say how it ended, in words for a model."""
        entry = self._entries.pop(session_id, None)
        if entry is None:
            return ""
        with entry.lock:
            record = entry.session.record()
            entry.session.close()
            record = replace(record, end=end or record.end)
        if entry.calls:
            self._save(record)
        met, total = min(record.gc_satisfied, record.gc_total), record.gc_total
        return text_world.server_words("ended", end=record.end.value, met=met, total=total)


MIN_TOKEN_CHARACTERS = 16


def read_client_tokens(path: Path) -> dict[str, str]:
    """Return clients' names by token; a line is a name, a space and a token, unless # begins it."""
    text = decode_text(read_bytes(path, CLIENT_TOKENS), str(path), CLIENT_TOKENS)
    names_by_token: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        where, fix = f"{path}: line {number}", "write a name, a space and a token"
        if len(words) != 2:
            raise BadInput(f"there are {len(words)} words", where=where, fix=fix)
        name, token = words
        if len(token) < MIN_TOKEN_CHARACTERS:
            fix = f"write at least {MIN_TOKEN_CHARACTERS} characters"
            raise BadInput(f"the token of {name} is short", where=where, fix=fix)
        if name in names_by_token.values() or token in names_by_token:
            raise BadInput(f"the name or token of {name} is there twice", where=where, fix=fix)
        names_by_token[token] = name
    if not names_by_token:
        raise BadInput("there is no client", where=str(path), fix="write a name and a token")
    return names_by_token
