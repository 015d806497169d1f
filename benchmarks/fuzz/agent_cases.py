"""Agents that misbehave as a file says, and ids, names and seeds that a client or file brings."""

import json
import sys
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, cast

from benchmarks.fuzz.functions import ReaderFault
from tatc.base.errors import BadInput, TatcError
from tatc.base.files import MEBIBYTE, FileLimits, read_json
from tatc.base.plain_text import texts_in

IDS = "ids.json"
_LIMITS = FileLimits(MEBIBYTE)
_SOUND_AGENT: dict[str, Any] = {
    "role": "follower",
    "misbehaves": "no",
    "at": 1,
    "words": "oh",
    "acts": [
        {"verb": "Turn Left"},
        {"verb": "Text", "text": "what should I do?"},
        {"verb": "Pickup", "click": [0.5, 0.5]},
        {"verb": "OpenProgressCheck"},
        {"verb": "Look Down", "click": None, "text": None},
        {"verb": "SearchObject", "text": "Mug"},
    ],
    "decision": {
        "utterance": "go on",
        "policy": "isDirty",
        "skill": "Hold(object_id='Mug|1|2|3')",
        "reason": "",
        "alternatives": ["Empty()"],
        "cost": 3,
    },
    "notes": [["language", "goal"]],
}
_SOUND_IDS: dict[str, Any] = {
    "seed": 7,
    "names": ["abc_123", "kitchen-01_coffee_1", "abc_123.edh0", "Put All X On Y"],
    "game_id": "abc_123",
    "place": "kitchen-01",
    "request": {"role": "follower", "partner": "person", "task": "coffee", "room": "kitchen-01"},
}


def make_agent(folder: Path) -> None:
    """Write an agent for each way to misbehave, each in either role."""
    for role in ("follower", "commander"):
        for name in ("no", *_MISBEHAVIOURS):
            agent = _SOUND_AGENT | {"role": role, "misbehaves": name}
            (folder / f"{role}-{name}.json").write_text(json.dumps(agent), "utf-8")


def make_ids(folder: Path) -> None:
    """Write ids, names and a seed."""
    (folder / IDS).write_text(json.dumps(_SOUND_IDS), "utf-8")


class _Wordless(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class _Unshowable:
    def __repr__(self) -> str:
        raise SystemExit(0)

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        raise ValueError("not comparable")

    __hash__ = None  # pyright: ignore[reportAssignmentType]


def _raise(error: BaseException) -> NoReturn:
    raise error


def _recurse(words: Any) -> Any:
    return _recurse(words)


def _reach(words: Any) -> Any:
    """Put the home into another state, by the frames of the session's own calls."""
    frame = sys._getframe()  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        sim = getattr(frame.f_locals.get("self"), "_sim", None)
        if sim is not None:
            now = sim.snapshot()
            sim.restore(type(now).from_objects((), now.commander, now.follower))
            break
        frame = frame.f_back
    return None


_MISBEHAVIOURS: dict[str, Callable[[Any], Any]] = {
    "raises": lambda words: _raise(ValueError(words)),
    "wordless": lambda words: _raise(_Wordless()),
    "exits": lambda words: _raise(SystemExit(words)),
    "bare": lambda words: _raise(AssertionError()),
    "group": lambda words: _raise(ExceptionGroup("two", [ValueError(words), KeyError(words)])),
    "stops": lambda words: _raise(StopIteration(words)),
    "closes": lambda words: _raise(GeneratorExit(words)),
    "memory": lambda words: _raise(MemoryError(words)),
    "recursion": _recurse,
    "input": lambda words: _raise(BadInput(str(words), where=str(words), fix=str(words))),
    "unshowable": lambda words: _Unshowable(),
    "generator": lambda words: (each for each in (words,)),
    "words": lambda words: words,
    "long": lambda words: _action({"verb": "Text", "text": str(words) * 100_000}),
    "subclass": lambda words: type("Text", (str,), {})(words),
    "class": lambda words: _Unshowable,
    "reach": _reach,
}
"""What an agent does in place of an answer, by the word in its file."""


def run_agent() -> None:
    """Run the agent of each file of the folder in a session, as a run of many does."""
    for path in sorted(Path().glob("*.json")):
        told: Any = read_json(path, _LIMITS)
        _run_told(told if isinstance(told, dict) else {})


def _run_told(told: Mapping[str, Any]) -> None:
    from tatc.evaluation.runs.eval_options import EvalOptions, SaveRecords
    from tatc.evaluation.runs.job_runners import SessionRunner
    from tatc.evaluation.runs.rows import SessionJob, read_row
    from tatc.session.agents.agents import agents_given
    from tatc.session.agents.session_setup import SessionSetup

    role = "commander" if told.get("role") == "commander" else "follower"
    setup = SessionSetup(**{role: "told:Agent"})
    options = EvalOptions(setup=setup, keep=SaveRecords.ALL)
    with agents_given({"told:Agent": _agent_class(told, role)}):
        runner = SessionRunner(options)
        job = SessionJob("a", "coffee", "kitchen-01", "Kitchen", room="kitchen-01")
        done = runner.run(job)
        runner.close()
    row = done.row.to_json()
    line = json.dumps(row, allow_nan=False)
    if read_row(json.loads(line)).to_json() != row:
        raise ReaderFault(f"a row is not read as it was written: {line[:300]}")
    if not done.crash and done.record is not None:
        _read_again(done.record)
    passes = told.get("misbehaves") == "input"  # as one of tatc's own errors
    blamed = any(f"{who} crashed: " in done.crash for who in (role.capitalize(), "Agent"))
    if done.crash and not (blamed or passes):
        raise ReaderFault(done.crash)
    if row.get("end") == "success":
        raise ReaderFault(f"a success of {told}")


def _read_again(data: bytes) -> None:
    from tatc.session.records import read_record

    Path("again.game.json.gz").write_bytes(data)
    read_record(Path("again.game.json.gz"))


def _agent_class(told: Mapping[str, Any], role: str) -> type:
    from tatc.commander import Decision
    from tatc.home.actions import Action, Verb
    from tatc.session.session_types import AgentNotes

    acts = told.get("acts") if isinstance(told.get("acts"), list) else []
    misbehaves = _MISBEHAVIOURS.get(str(told.get("misbehaves")))

    class Agent:
        def begin(self, *given: Any) -> None:
            self._calls = 0

        def act(self, seen: Any) -> Any:
            self._calls += 1
            if misbehaves is not None and self._calls == told.get("at"):
                return misbehaves(told.get("words"))
            if self._calls > len(cast(list[Any], acts)):
                return Action(Verb.STOP)
            return _action(cast(list[Any], acts)[self._calls - 1])

    found: Any = Agent
    if role == "commander":
        decision: Any = told.get("decision")
        if isinstance(decision, dict):
            with suppress(TypeError):
                decision = Decision(**({"problem_key": None} | cast(dict[str, Any], decision)))
        found.decisions = [decision] * 3
    else:
        notes = told.get("notes")
        pairs = cast(Any, map(tuple, notes)) if isinstance(notes, list) else notes
        with suppress(TypeError):
            notes = tuple(pairs)
        found.notes = AgentNotes(options=cast(Any, notes))
    return found


def _action(told: Any) -> Any:
    """Return an action as it is told, however wrong; what tells none as it stands."""
    from tatc.home.actions import Action, Click, Verb

    if not isinstance(told, dict):
        return told
    fields = cast(dict[str, Any], told)
    verb: Any = fields.get("verb")
    with suppress(ValueError, TypeError):
        verb = Verb(verb)
    click: Any = fields.get("click")
    if isinstance(click, list) and len(cast(list[Any], click)) == 2:
        click = Click(*cast(list[Any], click))
    return Action(verb, click, fields.get("text"))


def use_ids() -> None:
    """Name files by each text, and save a record, and ask for a game, under each id and seed."""
    told: Any = read_json(Path(IDS), _LIMITS)
    _check_names(set(texts_in(told)))
    fields: dict[str, Any] = told if isinstance(told, dict) else {}
    faults = [_fault_of(lambda: _save_as(fields)), _fault_of(lambda: _ask_for_game(fields))]
    if not all(path.parent.name in ("saved", ".") for path in Path().rglob("*.game.json")):
        raise ReaderFault("a record lies outside of its folder")
    if all(faults):
        raise next(filter(None, faults))


def _fault_of(work: Callable[[], None]) -> TatcError | None:
    try:
        work()
    except TatcError as fault:
        return fault
    return None


def _check_names(texts: set[str]) -> None:
    from tatc.base.file_names import file_name

    names = {text: file_name(text, ".txt") for text in texts}
    folded = {unicodedata.normalize("NFKC", name).casefold() for name in names.values()}
    if len(folded) != len(texts):
        raise ReaderFault(f"two texts have one name: {sorted(names.items())!a:.300}")
    for name in names.values():
        if Path("named", name).resolve().parent != Path("named").resolve():
            raise ReaderFault(f"a name leads out of its folder: {name!a:.300}")
        Path("named").mkdir(exist_ok=True)
        Path("named", name).write_text("")


@cache
def _a_record() -> Any:
    import tatc

    return tatc.run("coffee", room="kitchen-01", follower="random")


def _save_as(fields: Mapping[str, Any]) -> None:
    from dataclasses import replace

    from tatc.base.arguments import check_seed
    from tatc.session.records import read_record
    from tatc.session.session_record import save_record_in

    seed, given = check_seed(fields.get("seed")), fields.get("game_id")
    game_id = given if isinstance(given, str) else None
    path = save_record_in(replace(_a_record(), seed=seed, game_id=game_id), Path("saved"))
    if path.parent != Path("saved"):
        raise ReaderFault(f"a record is saved at {path}")
    if read_record(path).seed != seed:
        raise ReaderFault(f"a record has another seed than {seed}")


def _ask_for_game(fields: Mapping[str, Any]) -> None:
    from tatc.apps.viewer.play.game_routes import parse_game_request

    request: Any = fields.get("request")
    if isinstance(request, dict):
        request = {**cast(dict[str, Any], request), "seed": fields.get("seed")}
    parse_game_request(request)
