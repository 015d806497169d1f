"""Plants faults in sessions, saves their records, and works out the truth about each.

The truth is the agent in which the fault was planted, and the first step from which it could not be
mended.  That is the last faulty step at or before the last moment from which the sound pair, put
there with nothing but the state, solves the task, where every moment is tried from the end.  Where
only the sound agent's own end is left there (it gives up because of the other's fault), it is the
last faulty step before which healing the faulty agent still helps.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import process_time

from benchmarks.blame.planted_faults import (
    KINDS,
    TASKS_OF_KIND,
    Fault,
    PlantedCommander,
    PlantedFollower,
    can_occur,
)
from tatc.base import files
from tatc.base.errors import BadInput
from tatc.commander import RuleCommander
from tatc.evaluation.blame.blame_session import ABLE_PAIR, blame_session
from tatc.evaluation.blame.counterfactuals import Counterfactuals
from tatc.evaluation.blame.culprit import last_good_moment
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.follower import RuleFollower
from tatc.home.actions import Role
from tatc.session.agents.agents import agents_given
from tatc.session.agents.session_setup import SessionSetup, agent_maker
from tatc.session.records import Record, write_record
from tatc.session.start import SessionStart, start_from_room_name
from tatc.session.timeline import LiveSession, Timeline
from tatc.sim.rooms import room_names
from tatc.tdl import shipped_library

_NAMES = "agents:Commander", "agents:Follower"  # the same in all records, sound or not
_MAX_DRAWS = 400
_MAX_HEALED = 40  # faulty steps that are tried one by one
_MAX_INTERACTIONS = 5000


@dataclass(frozen=True)
class Truth:
    """What is true of a session; `worked_out` is "planted", "every-step" or "healed"."""

    file: str
    task: str
    place: str
    seed: int
    kind: str
    agent: str
    planted_step: int
    step: int
    worked_out: str


def plant(seed: int, folder: Path, number: int) -> Truth:
    """Draw a session in which a fault of the kind of this number loses it; save its record."""
    rng = Random(f"{seed} {number}")
    kind = KINDS[number % len(KINDS)]
    tasks = TASKS_OF_KIND.get(kind, TEACH_TASKS)
    first = number // len(KINDS) + number
    for draw in range(_MAX_DRAWS):
        task = tasks[(first + draw // 25) % len(tasks)]
        start = _draw_start(rng, task)
        if start is None or not can_occur(kind, start.task, start.scene.initial):
            continue
        sound, record = _play(start, kind, 0, most=0)
        if not sound.occasions or not record.success:
            continue
        fault, record = _play(start, kind, rng.randrange(sound.occasions))
        if fault.faulty and not record.success:
            path = folder / f"{number:04}.game.json.gz"
            write_record(record, path, force=True)
            return _truth(start, fault, path)
    raise BadInput(f"no session was found for {kind!r}", where=f"seed {seed}, number {number}")


@dataclass(frozen=True)
class Found:
    """The truth about a session, what was blamed, and the seconds of processor time it took."""

    truth: Truth
    agent: str
    step: int | None
    continuations: int
    seconds: float


def plant_and_blame(seed: int, folder: Path, number: int) -> Found:
    """Plant a fault, save the session, and blame a step of it, unless the folder has that done."""
    path = folder / f"{number:04}.found.json"
    if path.exists():
        kept = json.loads(path.read_text())
        return Found(Truth(**kept.pop("truth")), **kept)
    truth, start = plant(seed, folder, number), process_time()
    blame = blame_session(folder / truth.file)
    seconds = process_time() - start
    found = Found(truth, blame.agent, blame.step, blame.continuations, seconds)
    files.write_atomically(json.dumps(asdict(found)).encode() + b"\n", path, force=True)
    return found


def _draw_start(rng: Random, task: str) -> SessionStart | None:
    anywhere = task in ("Water Plant", "Clean All X", "Put All X On Y", "Put All X In One Y")
    rooms = [name for name in room_names() if anywhere or name.startswith("kitchen")]
    room, seed = rng.choice(rooms), rng.randrange(10**6)
    try:
        return start_from_room_name(room, shipped_library(), task, (), seed)
    except BadInput:
        return None


def _play(start: SessionStart, kind: str, onset: int, most: int = 10**9) -> tuple[Fault, Record]:
    """Play a session in which the fault does at most so many faulty steps."""
    fault = Fault(kind, onset, most)
    is_commander = kind.startswith("commander")
    commander = (
        PlantedCommander(fault, Random(f"{kind} {onset}")) if is_commander else RuleCommander()
    )
    follower = RuleFollower() if is_commander else PlantedFollower(fault)
    makers = {
        _NAMES[0]: agent_maker(commander, "Commander"),
        _NAMES[1]: agent_maker(follower, "Follower"),
    }
    with agents_given(makers):
        live = LiveSession(start, SessionSetup(commander=_NAMES[0], follower=_NAMES[1]))
        fault.now = lambda: len(live.moments) - 1
        live.run_to(_MAX_INTERACTIONS)
    return fault, live.record()


def _truth(start: SessionStart, fault: Fault, path: Path) -> Truth:
    runs = Counterfactuals(Timeline.of(path), ABLE_PAIR, 10**9)
    found = last_good_moment(lambda m: runs.go_on(m).success, runs.last, every_step=True).moment
    assert found is not None, "the sound pair solved the session from its start"
    agent = Role.COMMANDER if fault.kind.startswith("commander") else Role.FOLLOWER
    step = max(each for each in fault.faulty if each <= found or each == fault.faulty[0])
    how = "planted" if step == fault.faulty[0] else "every-step"
    if agent is Role.FOLLOWER and found > max(fault.faulty):
        step, how = _last_healed(start, fault), "healed"
    return Truth(
        path.name, start.task.name, start.place, start.seed, fault.kind, agent.name.lower(),
        fault.faulty[0], step, how,
    )  # fmt: skip


def _last_healed(start: SessionStart, fault: Fault) -> int:
    """Return the last faulty step before which healing the agent still lets the task be solved."""
    steps = fault.faulty
    found = last_good_moment(
        lambda most: _play(start, fault.kind, fault.onset, most)[1].success,
        len(steps) - 1,
        every_step=len(steps) <= _MAX_HEALED,
    ).moment
    return steps[found or 0]


def save_truth(truths: Sequence[Truth], folder: Path) -> None:
    """Write `truth.json` beside the records."""
    data = json.dumps([asdict(each) for each in truths], indent=1).encode() + b"\n"
    files.write_atomically(data, folder / "truth.json", force=True)
