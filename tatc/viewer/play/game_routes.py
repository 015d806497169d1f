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
from tatc.rooms import room_names
from tatc.viewer import data_scripts, view_images
from tatc.viewer.play.game_host import GameHost, HostedGame
from tatc.viewer.play.request_parsing import (
    ROLES_BY_NAME,
    parse_action,
    parse_click,
    parse_game_request,
    parse_role,
    request_fields,
)
from tatc.viewer.session_index import SessionEntry

_HEARTBEAT_SECONDS = 10.0  # seconds after which a silent stream says that it is there


def game_routes(game_host: GameHost) -> list[Route]:
    """Return the addresses of games."""

    async def offers(request: Request) -> Response:
        told = await run_in_threadpool(_lobby_json, game_host)
        return Response(
            data_scripts.data_script("play", told), media_type=data_scripts.SCRIPT_MEDIA_TYPE
        )

    async def new(request: Request) -> Response:
        return await _json_response(_start_game, game_host, await _request_json(request))

    async def sit(request: Request) -> Response:
        return await _json_response(
            _take_role, _find_game(game_host, request), await _request_json(request)
        )

    async def interaction(request: Request) -> Response:
        return await _json_response(
            _handle_request, _find_game(game_host, request), await _request_json(request)
        )

    async def room(request: Request) -> Response:
        return await _json_response(_room_json, _find_game(game_host, request), _role_key(request))

    async def events(request: Request) -> Response:
        table = _find_game(game_host, request)
        role = table and table.game.role_of_key(_role_key(request))
        if table is None or role is None:
            return JSONResponse({"error": "you have no seat in this game"}, 403)
        stream = _event_stream(
            game_host, table, role, _role_key(request), _last_event_index(request)
        )
        return StreamingResponse(stream, media_type="text/event-stream")

    async def view(request: Request) -> Response:
        return await run_in_threadpool(_image_response, _find_game(game_host, request), request)

    return [
        Route("/data/play.js", offers),
        Route("/play/new", new, methods=["POST"]),
        Route("/play/{game}/sit", sit, methods=["POST"]),
        Route("/play/{game}/deed", interaction, methods=["POST"]),
        Route("/play/{game}/room", room),
        Route("/play/{game}/events", events),
        Route("/play/{game}/{index:int}-{what}.webp", view),
    ]


async def _json_response(answer: Callable[..., Any], *given: Any) -> Response:
    """Answer with JSON; what was wrong with a request is told in words."""
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
        "games": [_game_json(table) for table in game_host.games() if not table.game.is_over],
    }


def _game_json(hosted: HostedGame) -> dict[str, Any]:
    game = hosted.game
    return {
        "id": game.id,
        "place": game.opening.place,
        "steps": len(game.moments) - 1,
        "free": [role.name.lower() for role in game.free_roles()],
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
    """Do what a person in a seat asks for."""
    found, fields = _require_game(hosted), request_fields(raw)
    role = found.game.role_of_key(str(fields.get("key", "")))
    if role is None:
        raise BadInput("you have no seat in this game", fix="load the page again")
    match fields.get("do"):
        case "act":
            action, action_id = parse_action(raw, role), str(fields.get("deed", ""))
            found.game.act(role, action, action_id)
        case "finish":
            found.game.finish(role)
        case "suggest" if role is Role.COMMANDER:
            return {"text": found.game.suggest_utterance()}
        case "name" if role is Role.COMMANDER:
            return {"type": found.views.clicked_type(parse_click(raw))}
        case _:
            raise BadInput("there is no such thing to do")
    return {}


async def _event_stream(
    game_host: GameHost, hosted: HostedGame, role: Role, key: str, last_index: int
) -> AsyncGenerator[str]:
    """Yield the moments after the last one heard, then each as it comes."""
    game, last_status = hosted.game, dict[str, Any]()
    with game.notifier.subscription() as news:
        while True:
            news.clear()
            game.role_of_key(key)  # a sign of life
            # Asked first and told last: whoever hears that all is over has heard all.
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
                await asyncio.wait_for(news.wait(), _HEARTBEAT_SECONDS)
            except TimeoutError:
                yield ": here\n\n"


def _status_json(game_host: GameHost, hosted: HostedGame) -> dict[str, Any]:
    game = hosted.game
    status: dict[str, Any] = {
        "over": game.is_over,
        "turn": game.turn.name.lower(),
        "free": [role.name.lower() for role in game.free_roles()],
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
    """Return a picture that the asker's part may see."""
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
        raise BadInput("this game is no longer there", fix="start another")
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
