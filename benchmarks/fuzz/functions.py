"""Readers that no command calls quickly, or at all: of instances and of what comes by wire.

Each works in the current folder, raises a `TatcError` for bad input, and fails in any other way
where tatc does.
"""

import json
import socket
from contextlib import closing, suppress
from functools import lru_cache
from itertools import chain, repeat
from logging import Handler, LogRecord, getLogger
from pathlib import Path
from tempfile import mkdtemp
from threading import Event, Thread
from time import monotonic

from benchmarks.fuzz.answering_server import answering_server
from benchmarks.fuzz.wire_corpus import frame

_FRAME_SIZE = (32, 32)
_START_SECONDS = 20.0
_QUIET_SECONDS = 0.5  # after which a damaged request is unfinished, or a stream has no more to say
_ANSWER_SECONDS = 15.0
_SERVER_ERROR = b"5"


class ReaderFault(Exception):
    """A session crashed, or a server fell over a request; says why."""


def play_edh_instances() -> None:
    """Play the EDH instances of the folder with the rule Follower."""
    _play_instances("edh")


def play_tfd_instances() -> None:
    """Play the TfD instances of the folder with the rule Follower."""
    _play_instances("tfd")


def _play_instances(kind: str) -> None:
    from tatc.evaluation.runs.eval_options import EvalOptions
    from tatc.evaluation.runs.instance_runner import InstanceRunner
    from tatc.evaluation.runs.session_selection import select_sessions

    options = EvalOptions(games=(kind,), recorded=(".",), kind=kind)
    runner = InstanceRunner(options)
    for job in select_sessions(options).jobs:
        done = runner.run(job)
        if done.crash:
            raise ReaderFault(done.crash)
    runner.close()


def read_tokens() -> None:
    """Read the tokens of a server's clients."""
    from tatc.apps.serving.session_table import read_client_tokens

    read_client_tokens(Path("tokens.txt"))


def answer_as_a_model() -> None:
    """Answer each question of an HTTP model's player with a line of a file, until one stops."""
    from PIL import Image

    from tatc.base.errors import TatcError
    from tatc.evaluation.instances.instance_players import HttpModel, InvalidAnswer, parse_answer

    lines = Path("answers.jsonl").read_bytes().split(b"\n")
    bodies = [line for line in lines if line] or [b""]
    answers = ((200, {}, body) for body in chain(bodies, repeat(bodies[-1])))
    image = Image.new("RGB", _FRAME_SIZE)
    with answering_server(answers) as address:
        model = HttpModel(address, _ANSWER_SECONDS)
        if not model.start_new_edh_instance({}, [image], "an instance"):
            raise TatcError("the model did not start", where="answers.jsonl")
        previous: dict[str, object] | None = None
        for _ in lines[1:]:
            answer = model.get_next_action(image, {}, previous, None, "an instance")
            try:
                parse_answer(answer)
            except InvalidAnswer as fault:
                raise TatcError(str(fault), where="answers.jsonl") from fault
            previous = {"action": answer[0], "obj_relative_coord": answer[1]}


def send_thor_messages() -> None:
    """Send each line of a file as an action to AI2-THOR's server."""
    lines = Path("messages.jsonl").read_bytes().split(b"\n")
    Path("messages.bin").write_bytes(b"".join(frame(line) for line in lines if line))
    send_thor_frames()


def send_thor_frames() -> None:
    """Send a file as a client of AI2-THOR would send its frames by a named pipe."""
    from tatc.apps.thorserver.client_connection import FifoConnection
    from tatc.apps.thorserver.server_loop import serve_client
    from tatc.apps.thorserver.thor_world import CLIENT_5

    connection = FifoConnection("/dev/null", "messages.bin")
    try:
        serve_client(connection, _FRAME_SIZE, CLIENT_5, lambda line: None)
    finally:
        connection.close()


def send_viewer_requests() -> None:
    """Send each file to the viewer's server as one connection's bytes; then see that it lives."""
    viewer = _running_viewer()
    game, key = viewer.open_game()
    names = {b"{token}": viewer.token, b"{host}": viewer.host, b"{game}": game, b"{key}": key}
    for path in sorted(Path().glob("*.http")):
        data = path.read_bytes()
        for name, value in names.items():
            data = data.replace(name, value)
        answer = viewer.send(data)
        if answer.split(b" ", 2)[1:2] and answer.split(b" ", 2)[1].startswith(_SERVER_ERROR):
            raise ReaderFault(f"{path}: {answer[:200]!r}")
    viewer.check()


@lru_cache(maxsize=1)
def _running_viewer() -> "_Viewer":
    return _Viewer()


class _Viewer:
    """The viewer's server, in a thread of this process for as long as the process lives."""

    def __init__(self) -> None:
        self._faults = _FaultList()
        getLogger("uvicorn.error").addHandler(self._faults)
        ready = Event()
        address: list[str] = []

        def announce(url: str) -> None:
            address.append(url)
            ready.set()

        Thread(target=_serve_viewer, args=(announce,), daemon=True).start()
        if not ready.wait(_START_SECONDS):
            raise ReaderFault("the viewer does not start")
        _, _, place, token, _ = address[0].split("/")
        self.host, self.token = place.encode(), token.encode()
        self._port = int(place.rpartition(":")[2])
        self._game: tuple[bytes, bytes] | None = None

    def open_game(self) -> tuple[bytes, bytes]:
        """Return the id of a game that goes on, and the key of the Follower's role in it."""
        if self._game is not None:
            game, key = self._game
            state = self._get(b"play/%s/room?key=%s" % (game, key))
            if state.startswith(b"HTTP/1.1 200") and b'"things"' in state:
                return self._game
        start = {"part": "follower", "partner": "person", "task": "coffee", "room": "kitchen-01"}
        body = json.dumps(start).encode()
        head = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        answer = self.send(self._request(b"POST", b"play/new", head), _ANSWER_SECONDS)
        made = json.loads(answer.partition(b"\r\n\r\n")[2])
        self._game = made["game"].encode(), made["key"].encode()
        return self._game

    def check(self) -> None:
        """Raise a `ReaderFault` if the server has logged a fault, or does not answer."""
        if self._faults.texts:
            text = "\n".join(self._faults.texts)
            self._faults.texts.clear()
            raise ReaderFault(text)
        if not self._get(b"data/sessions.js").startswith(b"HTTP/1.1 200"):
            raise ReaderFault("the viewer answers no more")

    def send(self, data: bytes, patience: float = _QUIET_SECONDS) -> bytes:
        """Return what the server answers, until it is silent for `patience` seconds."""
        answer, end = bytearray(), monotonic() + _ANSWER_SECONDS
        with closing(socket.create_connection(("127.0.0.1", self._port), _ANSWER_SECONDS)) as to:
            to.settimeout(patience)
            # It may wait for the rest of the request, keep a stream open, or refuse unread.
            with suppress(TimeoutError, ConnectionError):
                to.sendall(data)
                while monotonic() < end and (part := to.recv(1 << 16)):
                    answer += part
        return bytes(answer)

    def _get(self, path: bytes) -> bytes:
        return self.send(self._request(b"GET", path, b"\r\n"), _ANSWER_SECONDS)

    def _request(self, method: bytes, path: bytes, rest: bytes) -> bytes:
        line = b"%s /%s/%s HTTP/1.1\r\n" % (method, self.token, path)
        return line + b"Host: %s\r\nConnection: close\r\n%s" % (self.host, rest)


class _FaultList(Handler):
    """Keeps what uvicorn logs when an application raises."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: LogRecord) -> None:
        if record.exc_info:
            self.texts.append(self.format(record))


def _serve_viewer(announce: object) -> None:
    from tatc.apps.viewer.play.game_host import GameHost
    from tatc.apps.viewer.session_index import SessionIndex
    from tatc.apps.viewer.web_app import SessionCache, web_application
    from tatc.base.web_server import LOOPBACK, PathToken, draw_token, serve
    from tatc.tdl import shipped_library

    library, index = shipped_library(), SessionIndex(())
    host = GameHost(library, index, folder=Path(mkdtemp()), pace_seconds=0.0, max_games=1000)
    app = web_application(SessionCache(library), host)
    serve(app, PathToken(draw_token()), LOOPBACK, 0, announce, host.close)  # pyright: ignore
