"""The MCP server: the text world's tools, for an assistant that plays one of the agents.

A session is named by the id that `start` returns, and not by the connection: since its version
2026-07-28 the protocol has no sessions of its own.
"""

import os
import signal
from asyncio import AbstractEventLoop, get_running_loop
from contextlib import closing, suppress
from socket import SHUT_WR, socket, socketpair
from threading import Thread
from typing import Any

from tatc.base.errors import MissingExtra, TatcError

MissingExtra.check("mcp", "mcp")

import mcp_types
from anyio import run, to_thread, wrap_file
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request

from tatc.apps.serving.session_table import SessionTable
from tatc.base.version import __version__
from tatc.base.web_server import CLIENT_KEY, MAX_REQUEST_BYTES
from tatc.home.actions import Role
from tatc.session.text_world import commander_tools, follower_tools, rules_for, server_words

MCP_PATH = "/mcp"  # where the server answers over HTTP
START_TOOL = "start"
_SESSION = "session"  # the argument that names a session
_ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_RELAYED_BYTES = 65_536


def mcp_server(table: SessionTable) -> Server[Any]:
    """Return the server through which clients play the sessions of a table."""
    tools, begin_with = _tools(table), server_words("begin_with", tool=START_TOOL)

    async def list_tools(
        context: ServerRequestContext[Any], params: mcp_types.PaginatedRequestParams | None
    ) -> mcp_types.ListToolsResult:
        return mcp_types.ListToolsResult(tools=tools)

    async def call_tool(
        context: ServerRequestContext[Any], params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        request = context.request
        client = str(request.scope[CLIENT_KEY]) if isinstance(request, Request) else "stdio"
        return await to_thread.run_sync(_answer, table, client, params)

    return Server(
        "tatc",
        version=__version__,
        instructions=" ".join([rules_for(table.offer.role), begin_with]),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve_stdio(table: SessionTable) -> None:
    """Serve one client on the standard streams until it closes them, or a signal ends this.

    Ctrl-C and SIGTERM do what the client's end does: a call is finished, and what was played is
    saved.  Then they end the program, as a KeyboardInterrupt or with status 143.
    """
    received: list[signal.Signals] = []
    lines, relay = socketpair()
    Thread(target=_relay_stdin, args=(relay,), daemon=True).start()

    def end(number: signal.Signals, loop: AbstractEventLoop) -> None:
        received.append(number)
        for each in _ENDING_SIGNALS:  # a second one ends the program at once
            loop.remove_signal_handler(each)
        with suppress(OSError):  # stdin has ended by itself
            relay.shutdown(SHUT_WR)

    async def serve() -> None:
        server, loop = mcp_server(table), get_running_loop()
        for number in _ENDING_SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, end, number, loop)
        with lines, lines.makefile(encoding="utf-8", errors="replace") as text:
            async with stdio_server(wrap_file(text)) as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())

    with closing(table):
        run(serve)
    if signal.SIGINT in received:
        raise KeyboardInterrupt
    if received:
        raise SystemExit(128 + received[0])


def _relay_stdin(relay: socket) -> None:
    """Send on stdin, which all else then finds empty: a read of a socket can be ended."""
    stdin, empty = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    with relay, suppress(OSError):  # the other end has been shut
        while data := os.read(stdin, _RELAYED_BYTES):
            relay.sendall(data)
    os.close(stdin)


def http_application(table: SessionTable) -> Starlette:
    """Return the application that answers over HTTP, to stand behind an `AccessGuard`."""
    return mcp_server(table).streamable_http_app(
        streamable_http_path=MCP_PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=MAX_REQUEST_BYTES,
        # The guard checks hosts and origins.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )


def _answer(
    table: SessionTable, client: str, params: mcp_types.CallToolRequestParams
) -> mcp_types.CallToolResult:
    arguments = dict(params.arguments or {})
    session_id = arguments.pop(_SESSION, None)
    try:
        if params.name == START_TOOL:
            text = table.start(client)
        else:
            named = None if session_id is None else str(session_id)
            text = table.call(client, named, params.name, arguments)
    except TatcError as fault:
        return _result(fault.one_line, is_error=True)
    return _result(text)


def _result(text: str, *, is_error: bool = False) -> mcp_types.CallToolResult:
    return mcp_types.CallToolResult(content=[mcp_types.TextContent(text=text)], is_error=is_error)


def _tools(table: SessionTable) -> list[mcp_types.Tool]:
    offer = table.offer
    body = offer.start.scene.initial.follower.body
    specs = follower_tools(offer.grain, body) if offer.role is Role.FOLLOWER else commander_tools()
    nothing: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    about = server_words("start_tool")
    tools = [mcp_types.Tool(name=START_TOOL, description=about, input_schema=nothing)]
    for spec in specs:
        schema = spec.schema()["parameters"]
        named = {_SESSION: {"type": "string", "description": server_words("session_argument")}}
        properties: dict[str, Any] = schema["properties"] | named
        schema = schema | {"properties": properties}
        tools.append(
            mcp_types.Tool(name=spec.name, description=spec.description, input_schema=schema)
        )
    return tools
