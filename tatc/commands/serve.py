"""`tatc serve`: sessions for programs that bring a model, which plays one of the agents."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tatc.apps.serving import MAX_SESSIONS
from tatc.base.errors import BadInput, OutputError
from tatc.base.files import check_writable, make_folder
from tatc.commands.options import shared_options
from tatc.commands.options.address_options import AddressOptions
from tatc.commands.options.session_options import PlayedAgentOptions, SessionOptions
from tatc.commands.text.help_panels import PanelCommand
from tatc.commands.text.output import examples_of, print_line, print_lines, remark

if TYPE_CHECKING:
    from collections.abc import Callable

    from tatc.apps.serving.session_table import SessionOffer, SessionTable
    from tatc.session.records import Record
    from tatc.session.start import SessionStart


class PlayedRoleOptions(PlayedAgentOptions):
    """Which agent a client plays, and with whom."""

    def offer(self, start: "SessionStart") -> "SessionOffer":
        """Return what is offered to clients."""
        from tatc.apps.serving.session_table import SessionOffer, parse_role, setup_for
        from tatc.session.play import prepare
        from tatc.session.text_world import parse_grain

        role, grain = parse_role(self.played), parse_grain(self.grain)
        setup = setup_for((role,), self.commander, self.follower, self.wording)
        prepare(setup)
        return SessionOffer(start, setup, role, grain)


@dataclass(frozen=True, slots=True)
class ListenOptions:
    """Whether the server is reached over HTTP, and by whom."""

    http: bool = shared_options.plain_field(False, "--http")
    tokens: Path | None = shared_options.plain_field(None)
    max_sessions: int = shared_options.plain_field(MAX_SESSIONS, min=1, max=10_000)

    def validate(self, address: AddressOptions) -> None:
        """Check that options for HTTP are given with --http alone, and names of hosts."""
        address.host_names()
        is_given = replace(self, http=True) != ListenOptions(http=True)
        if not self.http and (is_given or address != AddressOptions()):
            names = "--host, --port, --allow-host, --tokens and --max-sessions"
            raise BadInput(f"{names} are for HTTP", fix="add --http, or leave them out")


@dataclass(frozen=True, slots=True)
class RolloutOptions:
    """What trainers need: starts of a split, and many sessions at a time."""

    split: str | None = shared_options.what_field(None)
    max_sessions: int = shared_options.plain_field(MAX_SESSIONS, min=1, max=10_000)

    def start_drawer(self, session: SessionOptions) -> "Callable[[int], SessionStart]":
        """Return what draws the start of a seed: of the split, or of the session named."""
        if self.split is None:
            return lambda seed: replace(session, seed=seed).find_start()
        if replace(session, seed=0) != SessionOptions(seed=0):
            why = "a split brings its own tasks and rooms"
            raise BadInput(why, fix="leave out the task, --room, --game, --param and --tasks")
        from tatc.session.start import load_split

        return load_split(self.split).draw


_KEPT_STARTS = 256
"""Drawn starts that the OpenEnv server keeps: trainers reset many sessions to the same seeds."""

app = typer.Typer(
    name="serve",
    help="Let a model of another program play one of the agents.",
    no_args_is_help=True,
)


@app.command("mcp", cls=PanelCommand, epilog=examples_of("serve mcp"))
@shared_options.with_option_groups
def mcp(
    session: SessionOptions,
    agents: PlayedRoleOptions,
    listen: ListenOptions,
    address: AddressOptions,
    save: shared_options.SaveFolderOption = None,
) -> None:
    """Serve sessions to an assistant, over the Model Context Protocol."""
    listen.validate(address)
    _check_save_folder(save)
    offer = agents.offer(session.find_start())
    from tatc.apps.serving.mcp_server import serve_stdio
    from tatc.apps.serving.session_table import SessionTable

    table = SessionTable(offer, lambda record: _save(record, save), listen.max_sessions)
    if listen.http:
        _serve_http(table, listen, address)
    else:
        serve_stdio(table)


@app.command("openenv", cls=PanelCommand, epilog=examples_of("serve openenv"))
@shared_options.with_option_groups
def openenv(
    session: SessionOptions,
    agents: PlayedRoleOptions,
    training: RolloutOptions,
    listen: AddressOptions,
    save: shared_options.SaveFolderOption = None,
) -> None:
    """Serve sessions to trainers, as an OpenEnv environment."""
    listen.host_names()
    _check_save_folder(save)
    start_with_seed = lru_cache(_KEPT_STARTS)(training.start_drawer(session))
    offer = agents.offer(start_with_seed(session.seed))
    from tatc.apps.serving import openenv_server
    from tatc.base.web_server import MAX_CONNECTIONS, PathToken, draw_token, serve

    app = openenv_server.openenv_application(
        offer, start_with_seed, lambda record: _save(record, save), training.max_sessions
    )

    def announce(address: str) -> None:
        remark("Give this address to clients; Ctrl-C ends the server.")
        print_line(address)

    serve(
        app,
        PathToken(draw_token()),
        listen.host,
        listen.port,
        announce,
        lambda: None,
        allowed_hosts=listen.host_names(),
        websockets=True,
        max_connections=MAX_CONNECTIONS + training.max_sessions,
    )


def _serve_http(table: "SessionTable", listen: ListenOptions, address: AddressOptions) -> None:
    from tatc.apps.serving.mcp_server import MCP_PATH, http_application
    from tatc.apps.serving.session_table import read_client_tokens
    from tatc.base.web_server import BearerTokens, draw_token, serve

    if listen.tokens is not None:
        names_by_token, shown = read_client_tokens(listen.tokens), None
    else:
        shown = draw_token()
        names_by_token = {shown: "client"}

    app, admission = http_application(table), BearerTokens(names_by_token, MCP_PATH)
    lines = [] if shown is None else [f"Authorization: Bearer {shown}"]

    def announce(address: str) -> None:
        print_lines((address, *lines))
        remark("A client needs this address and its token; Ctrl-C ends the server.")

    names = address.host_names()
    serve(app, admission, address.host, address.port, announce, table.close, allowed_hosts=names)


def _check_save_folder(folder: Path | None) -> None:
    """Make the folder of the records, and check that it takes files, before any client plays."""
    if folder is not None:
        make_folder(folder, fix="name another folder with --save")
        check_writable(folder / "a.game.json", force=True)


def _save(record: "Record", folder: Path | None) -> None:
    from tatc.session.session_record import save_record_in

    try:
        remark(f"saved: {save_record_in(record, folder)}")
    except OutputError as fault:
        remark(f"not saved: {fault.one_line}")
