"""The limits in docs/reference/security.md are those of the code; dependencies are safe ones."""

import tomllib
from pathlib import Path

import pytest

from tatc.apps.serving import MAX_SESSIONS
from tatc.apps.serving.session_table import IDLE_SECONDS, MAX_CALLS, MAX_SESSIONS_OF_A_CLIENT
from tatc.apps.thorserver.client_connection import MAX_ACTION_BYTES
from tatc.apps.thorserver.session_actions import MAX_FRAME_SIDE_PIXELS
from tatc.apps.viewer.play.game_host import MAX_GAMES
from tatc.apps.viewer.play.game_routes import MAX_TEXT_CHARACTERS
from tatc.apps.viewer.play.human_game import MAX_PLAYED_INTERACTIONS, MAX_SAID_CHARACTERS
from tatc.base import files
from tatc.base.files import MEBIBYTE, FileLimits
from tatc.base.plain_text import whole_number
from tatc.base.web_server import (
    MAX_CONNECTIONS,
    MAX_REQUEST_BYTES,
    WEBSOCKET_IDLE_SECONDS,
    RequestTimeoutProtocol,
)
from tatc.session.agent_answers import MAX_TEXT

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "security.md"
KIBIBYTE = 1024


def _size(count: int) -> str:
    in_mebibytes = count % MEBIBYTE == 0
    return f"{count // MEBIBYTE:,} MiB" if in_mebibytes else f"{count // KIBIBYTE:,} KiB"


def _json(limits: FileLimits, size: int | None = None) -> str:
    size = limits.max_bytes if size is None else size
    return f"{_size(size)}; {limits.max_depth} levels; {limits.max_values:,} values"


def _bytes(limits: FileLimits) -> str:
    return _size(limits.max_bytes)


def _digits() -> int:
    return max(count for count in range(1, 100) if whole_number("9" * count) is not None)


EXPECTED = {
    "a game, a record, or an EDH or TfD instance": _json(files.GAME),
    "a recording with AI2-THOR's metadata": _json(files.METADATA_DUMP),
    "a room": _json(files.ROOM),
    "a task definition": _json(files.TASK),
    "a floor map": _json(files.RECORDED_MAP),
    "a layout or trajectory of ALFRED": _json(files.ALFRED_FILE),
    "a trajectory of ALFRED that is listed or run": _json(files.TRAJECTORY),
    "the `run.json` of a run": _json(files.RUN),
    "the `contents.json` of a run": _json(files.RUN_CONTENTS),
    "a tool call that `tatc play` reads": _json(files.TOOL_CALL),
    "a line of a run's results or timings": _json(files.RESULT_LINE),
    "a line that notes what `tatc fidelity` or `tatc instances` has done": _json(files.CACHE_LINE),
    "a file of such lines": _bytes(files.LINES_FILE),
    "a saved fidelity report": _json(files.FIDELITY_REPORT),
    "what `tatc blame` saved of a run": _json(files.BLAME),
    "the options of a training": _json(files.TRAINING_NOTE),
    "what the server of a model answers": _json(files.MODEL_ANSWER),
    "an answer of a language model that is kept, with its request": _json(files.CACHED_ANSWER),
    "a dialogue as text, on stdin too": _bytes(files.DIALOGUE),
    "a file of named goals": _bytes(files.MEMORY),
    "a line of a file of named goals": _json(files.MEMORY_LINE),
    "goals in such a file": f"{files.MAX_MEMORY_ENTRIES:,}",
    "a card of TATC-Bench": _json(files.CARD),
    "a line of demonstrations": _json(files.DEMONSTRATION),
    "a file of tokens": _bytes(files.CLIENT_TOKENS),
    "a file of policies": _bytes(files.POLICY),
    "a file of breakpoints": _bytes(files.BREAKPOINTS),
    "examples in the cache of `tatc train`": _bytes(files.EXAMPLES),
    "a checkpoint of tatc's own networks": _bytes(files.NETWORK_CHECKPOINT),
    "its header": _json(files.NETWORK_CHECKPOINT, files.MAX_HEADER_BYTES),
    "a checkpoint of E.T., its vocabulary or visual encoder, or the state of a training": _bytes(
        files.TORCH_FILE
    ),
    "the pickle in it, without tensors": _size(files.MAX_PICKLE_BYTES),
    "objects in a state or a room": f"{files.MAX_STATE_OBJECTS:,}",
    "interactions, utterances or decisions of a recorded session": (f"{files.MAX_INTERACTIONS:,}"),
    "subgoals in the plan of a trajectory": f"{files.MAX_SUBGOALS:,}",
    "nested tasks": f"{files.MAX_TASK_DEPTH} levels",
    "components, conditions and texts of a task, with those of nested tasks": (
        f"{files.MAX_TASK_PARTS:,}"
    ),
    "a text of a task, parameters filled in": f"{files.MAX_TASK_TEXT:,} characters",
    "objects that a task asks for in one component": f"{files.MAX_NEEDED_OBJECTS:,}",
    "whole numbers in options, addresses and breakpoints": f"{_digits()} digits",
    "a request to `tatc view` or `tatc serve`, or a message on a WebSocket": (
        f"{MAX_REQUEST_BYTES:,} bytes, whatever its header says"
    ),
    "the time for a request to `tatc view` or `tatc serve` to arrive": (
        f"{RequestTimeoutProtocol.request_seconds:.0f} s, then the connection is closed"
    ),
    "connections to `tatc view` or `tatc serve` at a time": (
        f"{MAX_CONNECTIONS}; `tatc serve openenv` adds `--max-sessions`"
    ),
    "games at a time in `tatc view`": f"{MAX_GAMES}",
    "interactions of a game played in `tatc view`": f"{MAX_PLAYED_INTERACTIONS:,}",
    "characters said in such a game": f"{MAX_SAID_CHARACTERS:,}",
    "sessions of `tatc serve` at a time": (
        f"{MAX_SESSIONS}; {MAX_SESSIONS_OF_A_CLIENT} for each client; "
        "`--max-sessions` says otherwise"
    ),
    "calls in a session of `tatc serve`": f"{MAX_CALLS:,}",
    "the time without a call in a session of `tatc serve`": (
        f"{IDLE_SECONDS:,.0f} s, then it is ended and saved"
    ),
    "the time without a message on a WebSocket": (
        f"{WEBSOCKET_IDLE_SECONDS:,.0f} s, then it is closed"
    ),
    "what a player can say at once": f"{MAX_TEXT_CHARACTERS:,} characters",
    "what an agent can say at once": f"{MAX_TEXT:,} characters",
    "an action sent to `tatc thor-server`": f"{MAX_ACTION_BYTES:,} bytes",
    "a frame of `tatc thor-server`": f"{MAX_FRAME_SIDE_PIXELS:,} pixels along each side",
}


def test_the_table_of_limits_has_the_numbers_of_the_code() -> None:
    _, _, section = PAGE.read_text("utf-8").partition("\n## Limits\n")
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:2] == "| "]
    assert {what: limit for what, limit in rows[1:]} == EXPECTED


def test_every_kind_of_file_is_in_the_table() -> None:
    source = Path(__file__).read_text("utf-8")
    other = ("_", "FIX_", "FINITE_NUMBERS")  # how files are read, and what is said then
    names = [name for name in vars(files) if name.isupper() and not name.startswith(other)]
    assert [name for name in names if name not in source] == []


# The first versions without: running code through `weights_only` (torch, CVE-2025-32434), a
# request that takes minutes (starlette, CVE-2025-62727), writing beyond a buffer (pillow,
# CVE-2025-48379), and reading one request as two (h11, CVE-2025-43859).
SAFE_FROM = {
    "torch": (2, 6),
    "starlette": (0, 49, 1),
    "pillow": (11, 3),
    "h11": (0, 16),
}


def _lower_bounds() -> dict[str, tuple[int, ...]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = [*project["dependencies"], *project["optional-dependencies"]["learned"]]
    pairs = (line.split(">=") for line in required)
    return {name: tuple(map(int, version.split("."))) for name, version in pairs}


@pytest.mark.parametrize("name", SAFE_FROM)
def test_no_version_with_a_known_way_in_is_allowed(name: str) -> None:
    assert _lower_bounds()[name] >= SAFE_FROM[name]
