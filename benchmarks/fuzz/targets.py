"""What reads which file: each target is a folder of the corpus, files to damage, and readers."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fuzz import (
    agent_cases,
    endpoint_answers,
    forged_cases,
    functions,
    session_corpus,
    understanding_corpus,
)
from benchmarks.fuzz.corpus import (
    CACHE_FILE,
    GAME,
    GAME_TASK,
    TEACH_GAME,
    TRAINING_WORDS,
    place_fidelity_cache,
)
from benchmarks.fuzz.thor_sequences import SEQUENCES, run_thor_sequences

FILE = "{file}"
"""Stands in the words of a command for the file that is damaged."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A command of tatc, or a function: how often it is drawn, and how it may end.

    `stdin` is the file that the command reads there.

    Exit status 0 is always right, 1 where sessions or inputs may fail, and 3 where a record says
    that an agent crashed.
    """

    words: tuple[str, ...] = ()
    function: Callable[[], None] | None = None
    weight: float = 1.0
    statuses: frozenset[int] = frozenset({0, 1})
    stdin: str = os.devnull

    @property
    def is_json(self) -> bool:
        """Whether every line that it prints is JSON."""
        return "--json" in self.words

    @property
    def name(self) -> str:
        """The command's words, or the function's name."""
        return " ".join(self.words) or str(getattr(self.function, "__name__", ""))


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of file: its folder in the corpus, the files in it to damage, and their readers.

    `arrange` is called with the folder after its files are damaged.
    """

    kind: str
    files: tuple[str, ...]
    readers: tuple[Reader, ...]
    weight: float
    arrange: Callable[[Path], None] = lambda folder: None


def _read(
    words: str, weight: float = 1.0, also: Sequence[int] = (), stdin: str = os.devnull
) -> Reader:
    """Return a command; tildes stand for spaces within a word."""
    split = tuple(word.replace("~", " ") for word in words.split())
    return Reader(split, weight=weight, statuses=frozenset({0, 1, *also}), stdin=stdin)


_GENERATE = " ".join(session_corpus.GENERATE_WORDS)
_PLAY_OFFLINE = " ".join((*session_corpus.PLAY_WORDS, "--offline", "--no-save", "--json"))
_SERVE_MCP = "serve mcp coffee --room kitchen-01 --save out"
_TASK = GAME_TASK.replace(" ", "~")
_RUN = f"run {_TASK} --no-save --json"
_GAME_READERS = (
    _read("check {file} --json", 2),
    _read("check {file}"),
    _read("replay {file}", 2, also=[3]),
    _read("replay {file} --json", 2, also=[3]),
    _read("replay {file} --verify", 1, also=[3]),
    _read("fidelity {file} --json", 0.6),
    _read("instances {file} --kind edh --out out --json"),
    _read("instances {file} --kind tfd --out out"),
    _read("maps build {file} --out out.map.json"),
    _read("rooms import {file} --out out"),
    _read("view {file} --export out --no-pictures", 0.4),
    _read("export {file} --out out.txt"),
    _read("debug --record {file} --print", 0.3, also=[3]),
    _read("run --game {file} --no-save --json", 0.6),
    _read("eval {file} --out out --json", 0.01),
)
_PLAIN_TARGETS = (
    Target("games", (GAME, TEACH_GAME), _GAME_READERS, 24),
    Target(
        "room",
        ("room.json",),
        (_read("rooms show {file}", 3), _read(f"{_RUN} --room {{file}}")),
        8,
    ),
    Target(
        "tasks",
        ("mine/*.json",),
        (
            _read("tasks --tasks mine --json"),
            _read("tasks fruit --tasks mine"),
            _read(f"check {GAME} --tasks mine --json", 0.5),
            _read("run washed --tasks mine --room kitchen-01 --no-save --json", 0.4),
            _read("run fruit --tasks mine --room kitchen-01 --no-save --json", 0.2),
        ),
        10,
    ),
    Target(
        "map",
        ("map.json",),
        (
            _read(f"run --game {GAME} --map {{file}} --no-save --json"),
            _read(f"fidelity {GAME} --map {{file}} --json", 0.5),
        ),
        8,
    ),
    Target(
        "run",
        ("run/run.json", "run/results.jsonl", "run/timings.jsonl", "run/fidelity.json"),
        (
            _read("report run --json", 3),
            _read("report run", 2),
            _read("report run --html out.html --csv out.csv"),
            _read("view run --export out --no-pictures", 0.3),
            _read("eval --room kitchen-01 --tasks coffee,114 --save-records all --out run", 0.02),
        ),
        12,
    ),
    Target(
        "fidelity-cache",
        (CACHE_FILE,),
        (_read(f"fidelity {GAME} --json"),),
        5,
        place_fidelity_cache,
    ),
    Target(
        "instances",
        ("edh/*.json",),
        (
            Reader(function=functions.play_edh_instances),
            _read(f"eval edh --kind edh --games {GAME} --follower random --out out --json", 0.01),
        ),
        3,
    ),
    Target("instances", ("tfd/*.json",), (Reader(function=functions.play_tfd_instances),), 2),
    Target(
        "alfred",
        ("clone/gen/layouts/*.npy", "clone/data/train/a-trial/traj_data.json"),
        (_read("maps build --alfred clone --out out.map.json --json"),),
        5,
    ),
    Target(
        "breakpoints",
        ("breakpoints.txt",),
        (_read(f"debug --record {GAME} --print --breakpoints {{file}}", also=[3]),),
        1,
    ),
    Target(
        "understanding",
        (str(understanding_corpus.DIALOGUE), str(understanding_corpus.MEMORY)),
        (
            _read("understand dialogue.txt --goals memory.jsonl --json"),
            _read("understand dialogue.txt --goals memory.jsonl --why"),
        ),
        3,
    ),
    Target(
        "trajectories",
        ("traj_data.json", "plans.json"),
        (
            _read("run --game traj_data.json --plans plans.json --no-save --json"),
            _read("run --game traj_data.json --plans plans.json --language goal --no-save --json"),
            _read("check traj_data.json --plans plans.json --json", 0.5),
            _read("alfred experts traj_data.json --plans plans.json --out out --json", 0.3),
        ),
        5,
    ),
    Target("trajectories", ("set/*.json*",), (_read(f"alfred generate {_GENERATE} --json"),), 1),
    Target("cards", ("card.json",), (_read("benchmark --table card.json --json"),), 1),
    Target(
        "calls",
        ("calls.jsonl",),
        (
            _read("play coffee --room kitchen-01 --json", stdin="calls.jsonl"),
            _read("play coffee --room kitchen-01 --as both --save out.json", stdin="calls.jsonl"),
        ),
        3,
    ),
    Target(
        "played",
        (session_corpus.PLAYED,),
        (
            _read("run --answers-from {file} --no-save --json", 2, also=[3]),
            _read("replay {file} --json", also=[3]),
            _read("debug --record {file} --print", 0.5, also=[3]),
            _read("view {file} --export out --no-pictures", 0.4),
            _read("export {file} --out out.txt"),
        ),
        4,
    ),
    Target(
        "played",
        ("answers/*/*.json",),
        (_read(f"{_PLAY_OFFLINE} --answers answers --base-url http://localhost/v1", also=[3]),),
        2,
    ),
    Target("mcp", ("messages.jsonl",), (_read(_SERVE_MCP, stdin="messages.jsonl"),), 2),
    Target("calls", ("tokens.txt",), (Reader(function=functions.read_tokens),), 0.5),
    Target("model-answers", ("answers.jsonl",), (Reader(function=functions.answer_as_a_model),), 2),
    Target(
        "endpoint-answers",
        ("answers.jsonl",),
        (Reader(function=endpoint_answers.play_with_an_endpoint),),
        3,
    ),
    Target(
        "thor-messages", ("messages.jsonl",), (Reader(function=functions.send_thor_messages),), 2
    ),
    Target("thor-messages", ("messages.bin",), (Reader(function=functions.send_thor_frames),), 1),
    Target("thor-sequences", (SEQUENCES,), (Reader(function=run_thor_sequences),), 2),
    Target("agents", ("*.json",), (Reader(function=agent_cases.run_agent),), 6),
    Target("ids", (agent_cases.IDS,), (Reader(function=agent_cases.use_ids),), 4),
    Target("forged", (forged_cases.ROWS,), (Reader(function=forged_cases.count_forged_rows),), 4),
    Target(
        "forged", (forged_cases.CLAIMS,), (Reader(function=forged_cases.verify_forged_record),), 4
    ),
    Target("viewer", ("*.http",), (Reader(function=functions.send_viewer_requests),), 4),
)
_LEARNED_TARGETS = (
    Target(
        "checkpoints",
        ("own.safetensors",),
        (_read("follower inspect {file} --json"),),
        6,
    ),
    Target("checkpoints", ("latest.pth",), (_read("follower inspect {file} --json"),), 6),
    Target(
        "training",
        ("out/train.json", "out/state.pt", "out/*.npz"),
        (_read(" ".join(("train", GAME, *TRAINING_WORDS, "--json"))),),
        2,
    ),
)


_NEEDED = {
    "thor-messages": "msgpack",
    "model-answers": "httpx2",
    "endpoint-answers": "openai",
    "played": "openai",
    "mcp": "mcp",
}


def targets_here() -> tuple[Target, ...]:
    """Return the targets whose packages are installed."""
    from importlib.util import find_spec

    learned = find_spec("torch") is not None and find_spec("safetensors") is not None
    targets = _PLAIN_TARGETS + (_LEARNED_TARGETS if learned else ())
    missing = {kind for kind, package in _NEEDED.items() if find_spec(package) is None}
    return tuple(each for each in targets if each.kind not in missing)
