"""Agents that cheat, or answer what is no answer, end their session as their crash, and no more."""

import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

import pytest

import tatc
from tatc.base.errors import AgentCrash, BadInput
from tatc.commander import RuleCommander
from tatc.follower import RuleFollower
from tatc.home.actions import Action, Verb
from tatc.home.percepts import PerceptionLevel
from tatc.home.state import Snapshot
from tatc.session import agent_answers, watched_home
from tatc.session.loop import Session
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.world_state import WorldState
from tatc.tdl import shipped_library
from tests.command_line import run_tatc
from tests.sim.box_kitchen import kitchen

AGENTS = """
from math import nan
from tatc.commander import Decision, RuleCommander
from tatc.follower import RuleFollower
from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.agent_traits import AgentTraits
from tatc.home.state import Snapshot

class Base:
    def begin(self, *given): pass
    decisions = ()

def done(s):
    full = dict(isDirty=False, isFilledWithLiquid=True, simbotIsFilledWithCoffee=True)
    objs = [o.with_values(**full) if o.objectType == "Mug" else o for o in s.objects]
    return Snapshot.from_objects(objs, s.commander, s.follower)

class Surrogate(Base):
    def act(self, seen): raise ValueError("bad \\ud800")
class NoWords(Base):
    def act(self, seen):
        class E(Exception):
            def __str__(self): raise RuntimeError("no words")
        raise E
class Nothing(Base):
    def act(self, seen): pass
class NaN(Base):
    def act(self, seen): return Action(Verb.PICKUP, Click(nan, 0.5))
class Far(Base):
    def act(self, seen): return Action(Verb.PICKUP, Click(1e308, 0.5))
class ClickOfTexts(Base):
    def act(self, seen): return Action(Verb.PICKUP, Click("a", "b"))
class Exits(Base):
    def act(self, seen): raise SystemExit(0)
class ExitsAtFirst(Base):
    def __init__(self): raise SystemExit(0)
    def act(self, seen): pass
class Shows(Base):
    @property
    def goal_words(self): raise SystemExit(0)
    def act(self, seen): pass
class Notes(Base):
    traits = AgentTraits(notes=True)
    @property
    def notes(self): raise SystemExit(0)
    def act(self, seen): return Action(Verb.STOP)
class Bare(Base):
    def begin(self, *given): assert False
    def act(self, seen): pass
class Lone(Base):
    def act(self, seen): return Action(Verb.TEXT, text="\\udfff")
class Generator(Base):
    def act(self, seen): yield Action(Verb.STOP)
class Coroutine(Base):
    async def act(self, seen): return Action(Verb.STOP)
class Long(Base):
    def act(self, seen): return Action(Verb.TEXT, text="x" * 10**6)
class Number(Base):
    def act(self, seen): return Action(Verb.TEXT, text=7)
class NoVerb(Base):
    def act(self, seen): return Action("Fly")
class Recursive(Base):
    def act(self, seen): return self.act(seen)
class OutOfMemory(Base):
    def act(self, seen): raise MemoryError
class Chatter(Base):
    def act(self, seen): raise ValueError("a" * 10**7)
class Unshowable(Base):
    def act(self, seen):
        class E(Base):
            def __repr__(self): raise SystemExit(0)
            __str__ = __eq__ = __repr__
        return E()
class Reach(Base):
    perceives = True
    def act(self, seen): seen.percepts.__self__._sim.restore(None)
class Frames(Base):
    def act(self, seen):
        import sys
        frame = sys._getframe()
        while not hasattr(frame.f_locals.get("self"), "_sim"):
            frame = frame.f_back
        sim = frame.f_locals["self"]._sim
        sim.restore(done(sim.snapshot()))
        return Action(Verb.STOP)
class Restores(RuleCommander):
    def begin(self, oracle, task):
        super().begin(oracle, task)
        oracle.restore(done(oracle.snapshot()))
class Steps(RuleCommander):
    def begin(self, oracle, task):
        super().begin(oracle, task)
        self.o = oracle
    def act(self, view): self.o.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
class Decides(RuleCommander):
    decisions = [Decision("\\ud800", None, "", "", "", (), 1)]
class Undecided(RuleCommander):
    @property
    def decisions(self): raise KeyError("no decisions")
class Interjects(RuleCommander):
    def interject(self): return "hello"
"""
FOLLOWERS = {
    "Surrogate": r"ValueError: bad \ud800",
    "NoWords": "E: its words cannot be told (RuntimeError)",
    "Nothing": "it returned nothing, which is no Action",
    "NaN": "its click at x nan, y 0.5 is no point of the view",
    "Far": "its click at x 1e+308, y 0.5 is no point of the view",
    "ClickOfTexts": "its click is a Click without two numbers x and y",
    "Exits": "SystemExit: 0",
    "ExitsAtFirst": "SystemExit: 0",
    "Shows": "SystemExit: 0",
    "Notes": "SystemExit: 0",
    "Bare": "AssertionError",
    "Lone": "UnsavableText: text: has half of a surrogate pair",
    "Generator": "it returned a generator, which is no Action",
    "Coroutine": "it returned a coroutine, which is no Action",
    "Long": "the text of its action has 1,000,000 characters, and the limit is 100,000",
    "Number": "AttributeError",
    "NoVerb": "the verb of its action is a str, which is no Verb",
    "Recursive": "RecursionError",
    "OutOfMemory": "MemoryError",
    "Chatter": "ValueError: aaa",
    "Unshowable": "it returned an E, which is no Action",
    "Reach": "has no attribute '__self__'",
    "Frames": "it changed the home itself, by no action of the session",
}
COMMANDERS = {
    "Restores": "'OracleView' object has no attribute 'restore'",
    "Steps": "'OracleView' object has no attribute 'step'",
    "Decides": "utterance has half of a surrogate pair",
    "Undecided": "KeyError: 'no decisions'",
    "Interjects": "it returned a str, which is no Action",
}


@pytest.fixture(scope="module")
def agents_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("agents")
    (folder / "misbehaving.py").write_text(AGENTS)
    return folder


@pytest.fixture(autouse=True)
def in_folder(agents_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(agents_folder)


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize(
    ("option", "name", "why"),
    [
        *(("--follower", *each) for each in FOLLOWERS.items()),
        *(("--commander", *each) for each in COMMANDERS.items()),
    ],
)
def test_an_agents_fault_is_its_crash(option: str, name: str, why: str) -> None:
    words = ("run", "coffee", "--room", "kitchen-01", option, f"misbehaving:{name}", "--no-save")
    done = run_tatc(*words)
    role = option.removeprefix("--").capitalize()
    assert done.exit_code == 3, done.output
    told = done.output.replace("\n", " ")
    assert any(f"the {who} crashed: " in told for who in (role, "agent")), told
    assert why in told and "Traceback" not in told


def test_no_agent_ends_a_run_of_many(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    names = ["misbehaving:Surrogate", "misbehaving:Exits", "misbehaving:Unshowable"]
    words = [word for name in names for word in ("--follower", name)]
    given = ("--room", "kitchen-01", "--tasks", "coffee,114", "--out", folder)
    done = run_tatc("compare", *words, *given)
    assert done.exit_code == 0, done.output
    lines = [
        line for path in folder.glob("*/results.jsonl") for line in path.read_bytes().splitlines()
    ]
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 6 and {row["end"] for row in rows} == {"crashed"}
    assert {row["failure"]["reason"][:16] for row in rows} == {
        r"ValueError: bad ",
        "SystemExit: 0",
        "AgentCrash: the ",
    }


def test_a_commander_that_restores_the_home_is_no_success(tmp_path: Path) -> None:
    given = ("--room", "kitchen-01", "--tasks", "coffee", "--out", tmp_path / "run")
    assert run_tatc("eval", *given, "--commander", "misbehaving:Restores").exit_code == 0
    [line] = (tmp_path / "run" / "results.jsonl").read_bytes().splitlines()
    assert json.loads(line)["end"] == "crashed"


def test_ctrl_c_in_an_agent_is_ctrl_c() -> None:
    class Interrupted(RuleFollower):
        def act(self, observation: Any) -> Action:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tatc.run("coffee", room="kitchen-01", follower=Interrupted)


@pytest.mark.parametrize("statement", ["sys.stdout.close()", "sys.stdout = None"])
def test_stdout_that_an_agent_closes_is_a_crash(statement: str) -> None:
    code = f"import sys\nclass A:\n def begin(self): {statement}\n def act(self, seen): pass\n"
    Path("closing.py").write_text(code)
    words = ("run", "coffee", "--room", "kitchen-01", "--follower", "closing:A", "--no-save")
    command = [sys.executable, "-m", "tatc", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3 and "Traceback" not in done.stderr
    assert done.stderr.endswith("error: an agent closed stdout (let it leave stdout open)\n")


def reachable_from(given: Any) -> Iterator[Any]:
    """Yield all that attributes, slots, items and closures lead to, not through modules."""
    left, seen = [given], set[int]()
    while left:
        value = left.pop()
        if id(value) in seen or isinstance(value, str | int | float | ModuleType | type):
            continue
        seen.add(id(value))
        yield value
        if isinstance(value, dict | MappingProxyType):
            left += [*value.keys(), *value.values()]
        elif isinstance(value, tuple | list | set | frozenset):
            left += [*value]
        elif isinstance(value, FunctionType):
            left += [cell.cell_contents for cell in value.__closure__ or ()]
        elif isinstance(value, MethodType):
            left += [value.__self__, value.__func__]
        names = [*getattr(value, "__dict__", {}), "func", "args", "keywords", "__wrapped__"]
        for kind in type(value).__mro__:
            slots = vars(kind).get("__slots__", ())
            names += (slots,) if isinstance(slots, str) else slots
        left += [getattr(value, name) for name in names if hasattr(value, name)]


def test_nothing_that_agents_get_leads_to_the_world() -> None:
    given: list[Any] = []

    class Commander(RuleCommander):
        def begin(self, oracle: Any, task: Any) -> None:
            given.extend((oracle, task))
            super().begin(oracle, task)

        def act(self, view: Any) -> Action:
            given.append(view)
            return super().act(view)

    class Follower(RuleFollower):
        def act(self, observation: Any) -> Action:
            given.append(observation)
            return super().act(observation)

    sim = EmbeddedSimulator()
    task, perception = shipped_library().compile("Coffee"), PerceptionLevel.TRUTH
    session = Session(sim, task, Commander(), Follower(), perception=perception)
    session.start(kitchen())
    while session.end is None:
        session.step()
    views = [each.percepts() for each in given if hasattr(each, "percepts")]
    found = [*reachable_from([given, views])]
    assert len(given) > 5 and len(found) > 100
    acting = (EmbeddedSimulator, WorldState, Session, watched_home.WatchedHome)
    assert not [type(each) for each in found if isinstance(each, acting)]
    # What it can write through (by `object.__setattr__`) is no value of the world's.
    world = {id(part) for obj in sim.snapshot().objects for part in (obj, obj.box, obj.affordances)}
    assert not [each for each in found if id(each) in world]
    assert all(not array.flags.writeable for v in views for array in (v.pixels, v.depth))


class Forger(RuleCommander):
    """Writes through the values that it gets."""

    def begin(self, oracle: Any, task: Any) -> None:
        """Fill every mug, and ask for nothing."""
        super().begin(oracle, task)
        for obj in oracle.snapshot().objects:
            for name in ("isFilledWithLiquid", "simbotIsFilledWithCoffee"):
                object.__setattr__(obj, name, True)
        for name in ("_check_tree", "_requirements"):
            setattr(task, name, None)

    def act(self, view: Any) -> Action:
        """Stop."""
        return Action(Verb.STOP)


def test_values_that_are_written_through_are_the_agents_own() -> None:
    record = tatc.run("coffee", room="kitchen-01", commander=Forger)
    assert not record.success and record.gc_satisfied == 2
    assert not any(obj.simbotIsFilledWithCoffee is True for obj in record.final.objects)


class Collector(RuleFollower):
    """Finds the world where no reference leads: among all that Python has."""

    def act(self, observation: Any) -> Action:
        """Put every simulator's home into another state."""
        for each in gc.get_objects():
            # Not isinstance: proxies of other packages warn when they are asked for their class.
            if type(each) is EmbeddedSimulator and each._world_state is not None:
                now = each.snapshot()
                each.restore(Snapshot.from_objects(now.objects[:-1], now.commander, now.follower))
        return Action(Verb.STOP)


def test_a_state_that_no_action_explains_is_noticed() -> None:
    with pytest.raises(AgentCrash, match="the Follower crashed: it changed the home itself"):
        tatc.run("coffee", room="kitchen-01", follower=Collector)


def test_the_oracle_keeps_what_has_not_changed() -> None:
    sim = EmbeddedSimulator()
    sim.reset(kitchen())
    home = watched_home.WatchedHome(sim)
    oracle = home.oracle()
    first, poses = oracle.snapshot(), oracle.reachable()
    assert first == sim.snapshot() and first is not sim.snapshot() and poses == sim.reachable()
    assert oracle.snapshot() is first and home.oracle() is oracle and oracle.snapshot() is first
    assert sim._world_state is not None
    changed = first.objects[0].objectId
    sim._world_state.update_object(changed, isDirty=True)
    assert oracle.snapshot() is first, "it shows the home as it was at the last call"
    second = home.oracle().snapshot()
    assert second == sim.snapshot() and oracle.reachable() is poses
    same = [one is other for one, other in zip(first.objects, second.objects, strict=True)]
    assert same.count(False) == 1 and second.objects[0].box is first.objects[0].box


def test_answers_become_plain_values() -> None:
    numpy = pytest.importorskip("numpy")

    class Words(str):
        __slots__ = ()

    click = type("Click", (), {"x": numpy.float32(0.5), "y": 1})
    given = Action(Verb.PICKUP, click, Words("a"))  # pyright: ignore
    found = agent_answers.check_action(given, tatc.session.loop.actions.Role.FOLLOWER)
    assert found.click is not None
    assert [type(each) for each in (found.click.x, found.click.y, found.text)] == [
        float,
        float,
        str,
    ]


@pytest.mark.parametrize(
    ("module", "code", "why"),
    [
        ("exits_when_imported", "raise SystemExit(0)", "cannot be imported: SystemExit: 0"),
        ("no_python", "def", "cannot be imported: SyntaxError"),
        ("raises_when_imported", "raise ValueError('\\ud800')", "cannot be imported"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named(module: str, code: str, why: str) -> None:
    Path(f"{module}.py").write_text(code)
    done = run_tatc("run", "coffee", "--follower", f"{module}:Mine", "--no-save")
    assert done.exit_code == 2 and f"{module}:Mine" in done.output and why in done.output
    Path("policies").mkdir(exist_ok=True)
    Path("policies/mine.py").write_text(code)
    with pytest.raises(BadInput, match=r"policies/mine\.py: cannot be imported"):
        tatc.run("coffee", policies="policies")


def test_a_current_folder_that_is_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(BadInput, match="the current folder is gone"):
        tatc.run("coffee", room="kitchen-01", follower="elsewhere:Mine")
