"""The OpenEnv server: sessions as environments with reset and step, extra `openenv`.

A session lives on a client's WebSocket.  OpenEnv's HTTP calls make an environment each and drop it;
they serve its validation.
"""

# openenv is not among what the tests install, so what it exports is not known here.
# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from tatc.base.arguments import check_seed
from tatc.base.errors import BadInput, MissingExtra
from tatc.base.plain_text import is_encodable

MissingExtra.check("openenv", "openenv", "websockets")

from openenv.core import env_server
from openenv.core.env_server.types import EnvironmentMetadata
from pydantic import Field
from starlette.types import ASGIApp, Receive, Scope, Send

from tatc.apps.serving import MAX_SESSIONS, session_table
from tatc.base.version import __version__
from tatc.session import records, start, text_world, tool_session


class ToolAction(env_server.Action):
    """One tool call: the tool's name and its arguments."""

    name: str = Field(max_length=100)
    arguments: dict[str, Any] | None = Field(default_factory=dict)


class TextObservation(env_server.Observation):
    """What the agent reads; with reset also the rules, and the tools with their JSON schemas.

    The reward is 1 at the end of a session whose task is done, and else 0.
    """

    text: str
    rules: str = ""
    tools: list[dict[str, Any]] = Field(default_factory=list)


class TextWorldEnvironment(env_server.Environment[ToolAction, TextObservation, env_server.State]):
    """Sessions of one client, one after another."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    # One thread does the calls of all sessions.  With a thread for each, hundreds compete with the
    # event loop for Python's lock, keep-alive pings are answered too late, and connections end.
    REQUIRES_SINGLE_THREAD_EXECUTOR = True

    def __init__(
        self,
        offer: session_table.SessionOffer,
        start_with_seed: Callable[[int], start.SessionStart],
        save: Callable[[records.Record], None],
    ) -> None:
        """Offer sessions; `save` gets those in which the client acted."""
        super().__init__()
        self._offer, self._start_with_seed, self._save = offer, start_with_seed, save
        self._session: tool_session.ToolSession | None = None
        self._state = env_server.State()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **_: Any
    ) -> TextObservation:
        """Start a session: the offer's, or that of a seed.

        A WebSocket hands over what its client sent, of any type.
        """
        episode_id = _text_or_none(episode_id, "episode_id")
        seed = None if seed is None else check_seed(seed)
        self.close()
        if seed is None:
            self._session = self._offer.begin()
        else:
            self._session = replace(self._offer, start=self._start_with_seed(seed)).begin()
        self._state = env_server.State(episode_id=episode_id, step_count=0)
        role = self._offer.role
        return TextObservation(
            text=self._session.text(role),
            rules=text_world.rules_for(role),
            tools=self._session.tools(role),
            reward=0.0,
        )

    def step(self, action: ToolAction, timeout_s: float | None = None, **_: Any) -> TextObservation:
        """Carry out a tool call; a wrong one is answered with the reason."""
        if self._session is None:
            return TextObservation(text=text_world.server_words("reset_first"), reward=0.0)
        self._state.step_count += 1
        with session_table.crashes_told_to_clients():
            text = self._session.call(self._offer.role, action.name, action.arguments)
        done = self._session.end is not None or self._state.step_count >= session_table.MAX_CALLS
        success = done and self._session.result().progress.success
        if done:
            self.close()
        return TextObservation(text=text, done=done, reward=float(success))

    @property
    def state(self) -> env_server.State:
        """The episode's id, and how many calls were made."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Return what the environment is."""
        name = self._offer.role.name.title()
        return EnvironmentMetadata(
            name="tatc",
            description=f"TEACh's Two-Agent Task Completion in text, as the {name}",
            version=__version__,
        )

    def close(self) -> None:
        """End the session, and save it if the client acted."""
        session, self._session = self._session, None
        if session is None:
            return
        record = session.record()
        session.close()
        if self._state.step_count:
            self._save(record)


def _text_or_none(given: object, name: str) -> str | None:
    if given is None or (isinstance(given, str) and len(given) <= 200 and is_encodable(given)):
        return given
    raise BadInput("is no text of at most 200 characters", where=name, fix="leave it out")


def openenv_application(
    offer: session_table.SessionOffer,
    start_with_seed: Callable[[int], start.SessionStart],
    save: Callable[[records.Record], None],
    max_sessions: int = MAX_SESSIONS,
) -> ASGIApp:
    """Return the application, with at most so many sessions, to stand behind an `AccessGuard`."""
    app = env_server.create_fastapi_app(
        partial(TextWorldEnvironment, offer, start_with_seed, save),
        ToolAction,
        TextObservation,
        concurrency_config=env_server.ConcurrencyConfig(
            max_concurrent_envs=max_sessions, session_timeout=session_table.IDLE_SECONDS
        ),
        env_name="tatc",
        mode="simulation",
    )
    return _without_queries(app)


def _without_queries(app: ASGIApp) -> ASGIApp:
    """Return the application without query strings, by which a client could name a session."""

    async def plain(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            scope = {**scope, "query_string": b""}
        await app(scope, receive, send)

    return plain
