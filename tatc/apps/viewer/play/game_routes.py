"""The routes of games: to start one, take a role, see, act, and get what happens.

Every field of a request is checked before anything happens.  What happens comes as
server-sent events, numbered by moment.  A page that has lost its connection or was loaded
again names the last moment it has, and gets all later ones.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import partial
from typing import Any, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tatc.apps.viewer import page_data, session_index
from tatc.apps.viewer.play.game_host import GameHost, GameRequest
from tatc.apps.viewer.play.role_views import RoleViews
from tatc.base import arguments, errors, plain_text
from tatc.home import actions
from tatc.language import Wording
from tatc.sim import object_search, rooms

_HEARTBEAT_SECONDS = 10.0  # a stream without news sends a sign of life this often
MAX_TEXT_CHARACTERS = 2000  # longest text that can be said at once
_COMMANDER_TOOLS = (actions.Verb.OPEN_PROGRESS_CHECK, *object_search.SEARCH_VERBS)
_ALLOWED_VERBS = {
    actions.Role.COMMANDER: (*actions.MOTION_VERBS, *_COMMANDER_TOOLS, actions.Verb.TEXT),
    actions.Role.FOLLOWER: (*actions.MOTION_VERBS, *actions.INTERACTION_VERBS, actions.Verb.TEXT),
}


def game_routes(game_host: GameHost) -> list[Route]:
    """Return the routes of games."""

    def lobby(request: Request) -> Response:
        return page_data.script_response("play", _lobby_json(game_host))

    def start_game(request: Request, raw: Any) -> dict[str, str]:
        game_request = parse_game_request(raw)
        game = game_host.start_game(game_request).game
        return {"game": game.id, "key": game.take_role(game_request.role)}

    def take_role(request: Request, raw: Any) -> dict[str, str]:
        return {"key": _find_game(game_host, request).game.take_role(requested_role(raw))}

    def player_request(request: Request, raw: Any) -> dict[str, Any]:
        return _handle_request(_find_game(game_host, request), raw)

    def room(request: Request) -> Response:
        hosted = _find_game(game_host, request)
        role = hosted.game.role_of_key(_role_key(request))
        if role is None:
            told = _game_json(hosted) | {"part": None, "over": hosted.game.is_over}
        else:
            told = hosted.room_json(role)
        return JSONResponse(told)

    async def events(request: Request) -> Response:
        hosted, key = game_host.get(request.path_params["game"]), _role_key(request)
        role = hosted and hosted.game.role_of_key(key)
        if hosted is None or role is None:
            return JSONResponse({"error": "you have no role in this game"}, 403)
        given = request.headers.get("last-event-id") or request.query_params.get("after", "")
        last = plain_text.whole_number(given)
        stream = _event_stream(game_host, hosted, role, key, -1 if last is None else last)
        return StreamingResponse(stream, media_type="text/event-stream")

    return [
        Route("/data/play.js", lobby),
        Route("/play/new", _posted(start_game), methods=["POST"]),
        Route("/play/{game}/role", _posted(take_role), methods=["POST"]),
        Route("/play/{game}/request", _posted(player_request), methods=["POST"]),
        Route("/play/{game}/room", room),
        Route("/play/{game}/events", events),
        Route("/play/{game}/{index}-{what}.webp", partial(_image_response, game_host)),
    ]


def _posted(
    answer: Callable[[Request, Any], dict[str, Any]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint that answers posted JSON, None if it is none, with JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            raw = await request.json()
        except (ValueError, UnicodeDecodeError, RecursionError, ClientDisconnect):
            raw = None
        return JSONResponse(await run_in_threadpool(answer, request, raw))

    return endpoint


def _lobby_json(game_host: GameHost) -> dict[str, Any]:
    return {
        "tasks": [each.name for each in game_host.library.definitions()],
        "rooms": list(rooms.shipped_names()),
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


def _game_json(hosted: RoleViews) -> dict[str, Any]:
    game = hosted.game
    return {
        "id": game.id,
        "place": game.start.place,
        "steps": len(game.moments) - 1,
        "free": [page_data.ROLE_NAMES[role] for role in game.free_roles()],
    }


def _handle_request(hosted: RoleViews, raw: Any) -> dict[str, Any]:
    game, fields = hosted.game, request_fields(raw)
    role = game.role_of_key(str(fields.get("key", "")))
    if role is None:
        raise errors.BadInput("you have no role in this game", fix="load the page again")
    match fields.get("do"):
        case "act":
            game.act(role, parse_action(raw, role), _text_field(fields, "id", ""))
        case "finish":
            game.finish(role)
        case "suggest" if role is actions.Role.COMMANDER:
            return {"text": game.suggest_utterance(parse_wording(raw))}
        case "name" if role is actions.Role.COMMANDER:
            return {"type": hosted.clicked_type(parse_click(raw))}
        case _:
            raise errors.BadInput("there is no such request, or not for this role")
    return {}


async def _event_stream(
    game_host: GameHost, hosted: RoleViews, role: actions.Role, key: str, last_index: int
) -> AsyncGenerator[str]:
    """Yield the moments after `last_index`, then each new one, and changes of the status."""
    game, last_status, last_belief = hosted.game, dict[str, Any](), None
    with game.notifier.subscription() as event:
        while True:
            event.clear()
            game.role_of_key(key)  # counts as a sign of life
            # Read before the moments and sent after them: who learns that the game is over has
            # got all of it.
            status = await run_in_threadpool(_status_json, game_host, hosted)
            for moment in game.moments[last_index + 1 :]:
                seen = await run_in_threadpool(hosted.moment_json, moment, role)
                yield f"id: {moment.index}\ndata: {json.dumps(seen)}\n\n"
                last_index = moment.index
            belief = await run_in_threadpool(hosted.belief_json, role)
            if belief is not None and belief != last_belief:
                last_belief = belief
                yield f"event: belief\ndata: {json.dumps(belief)}\n\n"
            if status != last_status:
                last_status = status
                yield f"event: status\ndata: {json.dumps(status)}\n\n"
            if status["over"]:
                return
            try:
                await asyncio.wait_for(event.wait(), _HEARTBEAT_SECONDS)
            except TimeoutError:
                yield ": here\n\n"


def _status_json(game_host: GameHost, hosted: RoleViews) -> dict[str, Any]:
    game = hosted.game
    status: dict[str, Any] = {
        "over": game.is_over,
        "turn": page_data.ROLE_NAMES[game.turn],
        "free": [page_data.ROLE_NAMES[role] for role in game.free_roles()],
        "fault": game.agent_error,
    }
    saved = game_host.save_if_over(game)
    if isinstance(saved, session_index.SessionEntry):
        status |= {"session": saved.id, "end": saved.end}
        status |= {"met": saved.met, "total": saved.total, "path": str(saved.path)}
    elif saved is not None:
        status["unsaved"] = saved
    return status


def _image_response(game_host: GameHost, request: Request) -> Response:
    hosted = game_host.get(request.path_params["game"])
    role = None if hosted is None else hosted.game.role_of_key(_role_key(request))
    index, what = plain_text.whole_number(request.path_params["index"]), request.path_params["what"]
    found: bytes | None = None
    if hosted and role is not None and index is not None and index < len(hosted.game.moments):
        roles = actions.ROLES_BY_NAME
        if what in roles and (role is actions.Role.COMMANDER or roles[what] is role):
            found = hosted.agent_image(index, roles[what])
        elif what == "target" and role is actions.Role.COMMANDER:
            found = hosted.search_image(index)
    if found is None:
        return Response(status_code=404)
    return Response(found, headers=page_data.IMAGE_HEADERS)


def _find_game(game_host: GameHost, request: Request) -> RoleViews:
    hosted = game_host.get(request.path_params["game"])
    if hosted is None:
        raise errors.BadInput("this game is over and removed", fix="start another")
    return hosted


def _role_key(request: Request) -> str:
    return request.query_params.get("key", "")


def parse_game_request(raw: object) -> GameRequest:
    """Return the game that a request asks for."""
    fields = request_fields(raw)
    if (seed := arguments.check_seed(fields.get("seed", 1))) < 0:
        raise errors.BadInput("a seed is a whole number, 0 or greater")
    words = {
        name: _text_field(fields, name, "")
        for name in ("partner", "wording", "task", "params", "room", "start")
    }
    params = tuple(p.strip() for p in words.pop("params").split(",") if p.strip())
    return GameRequest(role=requested_role(fields), params=params, seed=seed, **words)


def requested_role(fields: object) -> actions.Role:
    """Return the role that a request asks for."""
    name = _text_field(request_fields(fields), "part")
    if name not in actions.ROLES_BY_NAME:
        raise errors.BadInput("a role is commander or follower")
    return actions.ROLES_BY_NAME[name]


def parse_action(raw: object, role: actions.Role) -> actions.Action:
    """Return the action that a person asks for."""
    fields = request_fields(raw)
    name = _text_field(fields, "verb")
    verb = next((each for each in _ALLOWED_VERBS[role] if each.value == name), None)
    if verb is None:
        raise errors.BadInput(f"the {role.name.lower()} cannot do {name!r}")
    if verb in actions.INTERACTION_VERBS:
        return actions.Action(verb, parse_click(fields))
    if verb in (actions.Verb.TEXT, *object_search.SEARCH_VERBS):
        text = " ".join(_text_field(fields, "text").split())
        if not text:
            raise errors.BadInput("the text is empty")
        return actions.Action(verb, text=text)
    return actions.Action(verb)


def parse_click(raw: object) -> actions.Click:
    """Return a point of the Follower's view."""
    fields = request_fields(raw)
    x, y = fields.get("x"), fields.get("y")
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        raise errors.BadInput("a click needs the numbers x and y")
    if not (0 <= x < 1 and 0 <= y < 1):
        raise errors.BadInput("a click lies in the view: x and y are at least 0 and below 1")
    return actions.Click(min(round(float(x), 4), 0.999), min(round(float(y), 4), 0.999))


def parse_wording(raw: object) -> Wording:
    """Return the wording in which a suggestion is wanted."""
    name = _text_field(request_fields(raw), "wording")
    if name not in tuple(Wording):
        raise errors.BadInput(f"a wording is one of {', '.join(Wording)}")
    return Wording(name)


def request_fields(raw: object) -> Mapping[str, Any]:
    """Return the fields of a request."""
    if not isinstance(raw, dict):
        raise errors.BadInput("a request should be a JSON object")
    return cast(dict[str, Any], raw)


def _text_field(fields: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = fields.get(name, default)
    if not isinstance(value, str) or not plain_text.is_encodable(value):
        raise errors.BadInput(f"{name} should be a text")
    if len(value) > MAX_TEXT_CHARACTERS:
        raise errors.BadInput(f"{name} is longer than {MAX_TEXT_CHARACTERS} characters")
    return value
