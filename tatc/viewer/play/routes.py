"""The addresses of games: to start one, sit down, see, act, and hear what happens.

What happens comes as server-sent events, numbered by moment: a page that has lost its
connection or was loaded again names the last it had, and gets all that came after.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tatc.actions import Role
from tatc.errors import BadInput, TatcError
from tatc.language import Wording
from tatc.sim.rooms import room_names
from tatc.viewer import pictures, scripts
from tatc.viewer.play.asked import (
    PARTS,
    fields_of,
    parse_action,
    parse_click,
    parse_part,
    parse_wish,
)
from tatc.viewer.play.tables import Table, Tables
from tatc.viewer.shelf import Entry

_HEARTBEAT = 10.0  # seconds after which a silent stream says that it is there


def play_routes(tables: Tables) -> list[Route]:
    """Return the addresses of games."""

    async def offers(request: Request) -> Response:
        told = await run_in_threadpool(_offers, tables)
        return Response(scripts.script("play", told), media_type=scripts.KIND)

    async def new(request: Request) -> Response:
        return await _answered(_new, tables, await _json(request))

    async def sit(request: Request) -> Response:
        return await _answered(_sit, _table(tables, request), await _json(request))

    async def deed(request: Request) -> Response:
        return await _answered(_deed, _table(tables, request), await _json(request))

    async def room(request: Request) -> Response:
        return await _answered(_room, _table(tables, request), _key(request))

    async def events(request: Request) -> Response:
        table = _table(tables, request)
        role = table and table.game.seat(_key(request))
        if table is None or role is None:
            return JSONResponse({"error": "you have no seat in this game"}, 403)
        stream = _stream(tables, table, role, _key(request), _last_heard(request))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def view(request: Request) -> Response:
        return await run_in_threadpool(_view, _table(tables, request), request)

    return [
        Route("/data/play.js", offers),
        Route("/play/new", new, methods=["POST"]),
        Route("/play/{game}/sit", sit, methods=["POST"]),
        Route("/play/{game}/deed", deed, methods=["POST"]),
        Route("/play/{game}/room", room),
        Route("/play/{game}/events", events),
        Route("/play/{game}/{index:int}-{what}.webp", view),
    ]


async def _answered(answer: Callable[..., Any], *given: Any) -> Response:
    """Answer with JSON; what was wrong with a request is told in words."""
    try:
        return JSONResponse(await run_in_threadpool(answer, *given))
    except TatcError as error:
        return JSONResponse({"error": str(error)}, 400)


def _offers(tables: Tables) -> dict[str, Any]:
    return {
        "tasks": [each.name for each in tables.library.definitions()],
        "rooms": list(room_names()),
        "starts": [
            [
                entry.id,
                f"{entry.task} {', '.join(entry.params)}",
                entry.place,
                entry.key,
            ]
            for entry in tables.shelf.entries
            if entry.path is not None and not entry.error
        ],
        "commanders": list(tables.commanders),
        "followers": list(tables.followers),
        "wordings": list(Wording),
        "games": [_game_json(table) for table in tables.all() if not table.game.over],
    }


def _game_json(table: Table) -> dict[str, Any]:
    game = table.game
    return {
        "id": game.id,
        "place": game.opening.place,
        "steps": len(game.moments) - 1,
        "free": [role.name.lower() for role in game.free()],
    }


def _new(tables: Tables, raw: Any) -> dict[str, str]:
    wish = parse_wish(raw)
    table = tables.open(wish)
    return {"game": table.game.id, "key": table.game.sit(wish.part)}


def _sit(table: Table | None, raw: Any) -> dict[str, str]:
    return {"key": _there(table).game.sit(parse_part(raw))}


def _room(table: Table | None, key: str) -> dict[str, Any]:
    found = _there(table)
    role = found.game.seat(key)
    if role is None:
        return _game_json(found) | {"part": None, "over": found.game.over}
    return found.window.room(role)


def _deed(table: Table | None, raw: Any) -> dict[str, Any]:
    """Do what a person in a seat asks for."""
    found, fields = _there(table), fields_of(raw)
    role = found.game.seat(str(fields.get("key", "")))
    if role is None:
        raise BadInput("you have no seat in this game", fix="load the page again")
    match fields.get("do"):
        case "act":
            action, deed = parse_action(raw, role), str(fields.get("deed", ""))
            found.game.act(role, action, deed)
        case "finish":
            found.game.finish(role)
        case "suggest" if role is Role.COMMANDER:
            return {"text": found.game.suggest()}
        case "name" if role is Role.COMMANDER:
            return {"type": found.window.clicked(parse_click(raw))}
        case _:
            raise BadInput("there is no such thing to do")
    return {}


async def _stream(
    tables: Tables, table: Table, role: Role, key: str, heard: int
) -> AsyncGenerator[str]:
    """Yield the moments after the last one heard, then each as it comes."""
    game, told = table.game, dict[str, Any]()
    with game.bell.listening() as news:
        while True:
            news.clear()
            game.seat(key)  # a sign of life
            # Asked first and told last: whoever hears that all is over has heard all.
            status = await run_in_threadpool(_status, tables, table)
            for moment in game.moments[heard + 1 :]:
                seen = await run_in_threadpool(table.window.moment, moment, role)
                yield f"id: {moment.index}\ndata: {json.dumps(seen)}\n\n"
                heard = moment.index
            if status != told:
                told = status
                yield f"event: status\ndata: {json.dumps(status)}\n\n"
            if status["over"]:
                return
            try:
                await asyncio.wait_for(news.wait(), _HEARTBEAT)
            except TimeoutError:
                yield ": here\n\n"


def _status(tables: Tables, table: Table) -> dict[str, Any]:
    game = table.game
    told: dict[str, Any] = {
        "over": game.over,
        "turn": game.turn.name.lower(),
        "free": [role.name.lower() for role in game.free()],
        "fault": game.fault,
    }
    saved = tables.saved(game)
    if isinstance(saved, Entry):
        told |= {"session": saved.id, "end": saved.end}
        told |= {"met": saved.met, "total": saved.total, "path": str(saved.path)}
    elif saved is not None:
        told["unsaved"] = saved
    return told


def _view(table: Table | None, request: Request) -> Response:
    """Return a picture that the asker's part may see."""
    role = None if table is None else table.game.seat(_key(request))
    index, what = request.path_params["index"], request.path_params["what"]
    found: bytes | None = None
    if table is not None and role is not None and index < len(table.game.moments):
        if what in PARTS and (role is Role.COMMANDER or PARTS[what] is role):
            found = table.window.view(index, PARTS[what])
        elif what == "target" and role is Role.COMMANDER:
            found = table.window.target(index)
    if found is None:
        return Response(status_code=404)
    keep = {"cache-control": "private, max-age=3600"}
    return Response(found, media_type=pictures.KIND, headers=keep)


def _there(table: Table | None) -> Table:
    if table is None:
        raise BadInput("this game is no longer there", fix="start another")
    return table


def _table(tables: Tables, request: Request) -> Table | None:
    return tables.get(request.path_params["game"])


def _key(request: Request) -> str:
    return request.query_params.get("key", "")


def _last_heard(request: Request) -> int:
    given = request.headers.get("last-event-id") or request.query_params.get("after")
    return int(given) if given is not None and given.isdecimal() else -1


async def _json(request: Request) -> Any:
    try:
        return await request.json()
    except (ValueError, UnicodeDecodeError, RecursionError):
        return None
