"""Sound files of sessions that models, trajectories and comparisons make, and calls to play one."""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from benchmarks.fuzz.answering_server import Answer, answering_server
from benchmarks.fuzz.in_process import run_command

MODEL, ANSWERS, PLAYED = "no-model", "answers", "played.game.json"
PLAY_WORDS = ("run", "coffee", "--room", "kitchen-01", "--follower", "llm", "--model", MODEL)
GENERATE_WORDS = ("--rooms", "--type", "simple", "--count", "1", "--seed", "1", "--out", "set")
BENCHMARK_WORDS = ("--follower", "random", "--limit", "1", "--tracks", "silent")
_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ask", {"question": "what next?"}),
    ("move", {"direction": "forward", "times": 2}),
    ("turn", {"direction": "left"}),
    ("look", {"direction": "down"}),
    ("fly", {}),
    ("go_to", {"object": "Mug_1"}),
    ("pick_up", {"object": "Mug_1"}),
    ("say", {"words": "where is the mug?"}),
    ("stop", {}),
)


def run_words(*words: str) -> None:
    """Run `tatc` with these words; it must end well or with a session that failed."""
    ending = run_command(words)
    if ending.status not in (0, 1):
        raise RuntimeError(f"tatc {' '.join(words)}: {ending.status}: {ending.stderr}")


def make_played(folder: Path) -> None:
    """Make the record of a session that a "model" played as Follower, and its kept answers."""
    answers = (_completion(*call) for call in chain(_CALLS, repeat(_CALLS[-1])))
    with answering_server(answers) as address:
        os.environ.setdefault("OPENAI_API_KEY", "none")
        words = ("--base-url", f"{address}/v1", "--answers", ANSWERS, "--save", PLAYED)
        run_words(*PLAY_WORDS, *words)


def _completion(name: str, arguments: dict[str, Any]) -> Answer:
    """Return what an OpenAI-compatible endpoint answers where its model makes this call."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": "x1", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = json.dumps({"id": "x", "choices": [choice], "usage": usage}).encode()
    return 200, {"Content-Type": "application/json"}, body


def make_calls(folder: Path) -> None:
    """Make a file of tool calls, and one of clients' tokens."""
    calls = [{"name": name, "arguments": arguments} for name, arguments in _CALLS]
    _write_lines("calls.jsonl", calls)
    lines = ("# clients", "lab 0123456789abcdef0123", "class fedcba98765432100123")
    Path("tokens.txt").write_text("".join(f"{line}\n" for line in lines))


def make_mcp_messages(folder: Path) -> None:
    """Make the messages of an assistant that plays over the Model Context Protocol."""
    _write_lines("messages.jsonl", [{"jsonrpc": "2.0", **each} for each in _mcp_messages()])


def _write_lines(name: str, documents: Sequence[object]) -> None:
    Path(name).write_text("".join(f"{json.dumps(each)}\n" for each in documents))


def _mcp_messages() -> Iterator[dict[str, Any]]:
    client = {"name": "fuzz", "version": "1"}
    start = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client}
    yield {"id": 1, "method": "initialize", "params": start}
    yield {"method": "notifications/initialized"}
    yield {"id": 2, "method": "tools/list"}
    for number, (name, arguments) in enumerate((("start", {}), *_CALLS), 3):
        call = {"name": name, "arguments": arguments}
        yield {"id": number, "method": "tools/call", "params": call}


def make_trajectories(folder: Path) -> None:
    """Make a generated trajectory in its set, and a copy that comes with its furniture."""
    run_words("alfred", "generate", *GENERATE_WORDS)
    found = next(Path("set").rglob("traj_data.json"))
    place = json.loads(found.read_text("utf-8"))["scene"]["floor_plan"]
    shutil.copy(found, "traj_data.json")
    shutil.copy(_shipped_room(place), "plans.json")


def _shipped_room(name: str) -> Path:
    return Path(__file__).parents[2] / "tatc" / "sim" / "rooms" / "data" / f"{name}.json"


def make_cards(folder: Path) -> None:
    """Make a card of one session, with its run."""
    run_words("benchmark", *BENCHMARK_WORDS, "--out", "card.json")


SESSION_KINDS = {
    "calls": make_calls,
    "trajectories": make_trajectories,
    "cards": make_cards,
    "played": make_played,
    "mcp": make_mcp_messages,
}
