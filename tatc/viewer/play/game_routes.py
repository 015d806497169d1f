"""The routes of games: to start one, take a role, see, act, and get what happens.

What happens comes as server-sent events, numbered by moment.  A page that has lost its
connection or was loaded again names the last moment it has, and gets all later ones.
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
from tatc.rooms import room_names
from tatc.viewer import data_scripts, view_images
from tatc.viewer.page_roles import ROLE_NAMES, ROLES_BY_NAME
from tatc.viewer.play.game_host import GameHost, HostedGame
from tatc.viewer.play.request_parsing import (
    parse_action,
    parse_click,
    parse_game_request,
    parse_role,
    parse_wording,
    request_fields,
)
from tatc.viewer.session_index import SessionEntry

_HEARTBEAT_SECONDS = 10.0  # a stream without news sends a sign of life this often


def game_routes(game_host: GameHost) -> list[Route]:
    """Return the routes of games."""

    async def lobby(request: Request) -> Response:
        value = await run_in_threadpool(_lobby_json, game_host)
        return Response(
            data_scripts.data_script("play", value), media_type=data_scripts.SCRIPT_MEDIA_TYPE
        )

    async def start_game(request: Request) -> Response:
        return await _json_response(_start_game, game_host, await _request_json(request))

    async def take_role(request: Request) -> Response:
        return await _json_response(
            _take_role, _find_game(game_host, request), await _request_json(request)
        )

    async def player_request(request: Request) -> Response:
        return await _json_response(
            _handle_request, _find_game(game_host, request), await _request_json(request)
        )

    async def room(request: Request) -> Response:
        return await _json_response(_room_json, _find_game(game_host, request), _role_key(request))

    async def events(request: Request) -> Response:
        hosted, key = _find_game(game_host, request), _role_key(request)
        role = hosted and hosted.game.role_of_key(key)
        if hosted is None or role is None:
            return JSONResponse({"error": "you have no role in this game"}, 403)
        stream = _event_stream(game_host, hosted, role, key, _last_event_index(request))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def view(request: Request) -> Response:
        return await run_in_threadpool(_image_response, _find_game(game_host, request), request)

    return [
        Route("/data/play.js", lobby),
        Route("/play/new", start_game, methods=["POST"]),
        Route("/play/{game}/role", take_role, methods=["POST"]),
        Route("/play/{game}/request", player_request, methods=["POST"]),
        Route("/play/{game}/room", room),
        Route("/play/{game}/events", events),
        Route("/play/{game}/{index:int}-{what}.webp", view),
    ]


async def _json_response(answer: Callable[..., Any], *given: Any) -> Response:
    """Answer with JSON; for a faulty request, with an error that says what is wrong."""
    try:
        return JSONResponse(await run_in_threadpool(answer, *given))
    except TatcError as error:
        return JSONResponse({"error": str(error)}, 400)


def _lobby_json(game_host: GameHost) -> dict[str, Any]:
    return {
        "tasks": [each.name for each in game_host.library.definitions()],
        "rooms": list(room_names()),
        "starts": [
            [entry.id, f"{entry.task} {', '.join(entry.params)}", entry.place, entry.key]
            for entry in game_host.session_index.entries
            if entry.path is not None and not entry.error
        ],
        "commanders": list(game_host.commanders),
        "followers": list(game_host.followers),
        "wordings": list(Wording),
        "games": [_game_json(each) for each in game_host.games() if not each.game.is_over],
    }


def _game_json(hosted: HostedGame) -> dict[str, Any]:
    game = hosted.game
    return {
        "id": game.id,
        "place": game.opening.place,
        "steps": len(game.moments) - 1,
        "free": [ROLE_NAMES[role] for role in game.free_roles()],
    }


def _start_game(game_host: GameHost, raw: Any) -> dict[str, str]:
    game_request = parse_game_request(raw)
    hosted = game_host.start_game(game_request)
    return {"game": hosted.game.id, "key": hosted.game.take_role(game_request.role)}


def _take_role(hosted: HostedGame | None, raw: Any) -> dict[str, str]:
    return {"key": _require_game(hosted).game.take_role(parse_role(raw))}


def _room_json(hosted: HostedGame | None, key: str) -> dict[str, Any]:
    found = _require_game(hosted)
    role = found.game.role_of_key(key)
    if role is None:
        return _game_json(found) | {"part": None, "over": found.game.is_over}
    return found.views.room_json(role)


def _handle_request(hosted: HostedGame | None, raw: Any) -> dict[str, Any]:
    """Do what a person with a role asks for."""
    found, fields = _require_game(hosted), request_fields(raw)
    role = found.game.role_of_key(str(fields.get("key", "")))
    if role is None:
        raise BadInput("you have no role in this game", fix="load the page again")
    match fields.get("do"):
        case "act":
            found.game.act(role, parse_action(raw, role), str(fields.get("id", "")))
        case "finish":
            found.game.finish(role)
        case "suggest" if role is Role.COMMANDER:
            return {"text": found.game.suggest_utterance(parse_wording(raw))}
        case "name" if role is Role.COMMANDER:
            return {"type": found.views.clicked_type(parse_click(raw))}
        case _:
            raise BadInput("there is no such request, or not for this role")
    return {}


async def _event_stream(
    game_host: GameHost, hosted: HostedGame, role: Role, key: str, last_index: int
) -> AsyncGenerator[str]:
    """Yield the moments after `last_index`, then each new one, and changes of the status."""
    game, last_status = hosted.game, dict[str, Any]()
    with game.notifier.subscription() as event:
        while True:
            event.clear()
            game.role_of_key(key)  # counts as a sign of life
            # Read before the moments and sent after them: who learns that the game is over has
            # got all of it.
            status = await run_in_threadpool(_status_json, game_host, hosted)
            for moment in game.moments[last_index + 1 :]:
                seen = await run_in_threadpool(hosted.views.moment_json, moment, role)
                yield f"id: {moment.index}\ndata: {json.dumps(seen)}\n\n"
                last_index = moment.index
            if status != last_status:
                last_status = status
                yield f"event: status\ndata: {json.dumps(status)}\n\n"
            if status["over"]:
                return
            try:
                await asyncio.wait_for(event.wait(), _HEARTBEAT_SECONDS)
            except TimeoutError:
                yield ": here\n\n"


def _status_json(game_host: GameHost, hosted: HostedGame) -> dict[str, Any]:
    game = hosted.game
    status: dict[str, Any] = {
        "over": game.is_over,
        "turn": ROLE_NAMES[game.turn],
        "free": [ROLE_NAMES[role] for role in game.free_roles()],
        "fault": game.agent_error,
    }
    saved = game_host.save_if_over(game)
    if isinstance(saved, SessionEntry):
        status |= {"session": saved.id, "end": saved.end}
        status |= {"met": saved.met, "total": saved.total, "path": str(saved.path)}
    elif saved is not None:
        status["unsaved"] = saved
    return status


def _image_response(hosted: HostedGame | None, request: Request) -> Response:
    """Return an image, if the role whose key the request gives may see it."""
    role = None if hosted is None else hosted.game.role_of_key(_role_key(request))
    index, what = request.path_params["index"], request.path_params["what"]
    found: bytes | None = None
    if hosted is not None and role is not None and index < len(hosted.game.moments):
        if what in ROLES_BY_NAME and (role is Role.COMMANDER or ROLES_BY_NAME[what] is role):
            found = hosted.views.agent_image(index, ROLES_BY_NAME[what])
        elif what == "target" and role is Role.COMMANDER:
            found = hosted.views.search_image(index)
    if found is None:
        return Response(status_code=404)
    keep = {"cache-control": "private, max-age=3600"}
    return Response(found, media_type=view_images.IMAGE_MEDIA_TYPE, headers=keep)


def _require_game(hosted: HostedGame | None) -> HostedGame:
    if hosted is None:
        raise BadInput("this game is over and removed", fix="start another")
    return hosted


def _find_game(game_host: GameHost, request: Request) -> HostedGame | None:
    return game_host.get(request.path_params["game"])


def _role_key(request: Request) -> str:
    return request.query_params.get("key", "")


def _last_event_index(request: Request) -> int:
    given = request.headers.get("last-event-id") or request.query_params.get("after")
    return int(given) if given is not None and given.isdecimal() else -1


async def _request_json(request: Request) -> Any:
    try:
        return await request.json()
    except (ValueError, UnicodeDecodeError, RecursionError):
        return None
