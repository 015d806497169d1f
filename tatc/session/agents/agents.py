"""Agents by name: ours, those of installed packages, and `module:Class`.

A package offers agents as entry points in the groups `tatc.commanders` and `tatc.followers`;
`module:Class` names any class that can be imported, from the current folder too.  An agent's class
is called without arguments, once a session.  `AgentsFromFile` says which of them a file may name.
"""

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from tatc.base import arguments, process_pool
from tatc.base.errors import BadInput, TatcError, UnknownName, os_errors_as
from tatc.base.files import POLICY, check_file
from tatc.commander import Commander, CommanderView, Decision, Oracle, policies
from tatc.follower import Follower
from tatc.follower.learned import LEARNED_FAMILY, InputMode, learned_followers
from tatc.home import actions, agent_traits
from tatc.home.observation import Observation
from tatc.language import Wording
from tatc.planners.pddl.fast_downward import find_fast_downward
from tatc.session.agents import agent_names
from tatc.session.session_types import error_words
from tatc.tdl import Task

SESSION_ABLATIONS = (InputMode.FRAME_BLANK, InputMode.LANGUAGE_ONLY)
"""The ablations that a published E.T. is compared with in sessions: less sight.

Each is named after the Follower: `et-frame-blank:FILE`.
"""
POINTING_ABLATIONS = (
    *(InputMode.NO_WORDS, InputMode.NO_MEMORY, InputMode.NO_MAP, InputMode.NO_GEOMETRY),
)
"""The ablations that a pointing Follower is compared with: it cannot click without sight."""
INSTANCE_ABLATIONS = (InputMode.LANGUAGE_ONLY, InputMode.VISION_ONLY)
"""The ablations that it is compared with in instances: sight alone, or words alone."""


@dataclass(frozen=True, slots=True)
class AgentsFromFile:
    """Says that a file names the agents, and which of its agents may run.

    A file may choose among the agents of tatc.  Any other name makes tatc import a module or
    open a checkpoint, so it counts only if the user gave it too (`named_by_user`).  `where` is
    the file, and the path of the fields `commander` and `follower` in it.
    """

    where: str
    named_by_user: tuple[str, ...] = ()

    def allows(self, name: str) -> bool:
        """Return whether an agent may run that the file names."""
        return agent_names.comes_with_tatc(name) or name in self.named_by_user

    def check(self, commander: str, follower: str) -> None:
        """Check the agents that the file names."""
        for role, name in (("commander", commander), ("follower", follower)):
            if not self.allows(name):
                why = f"{name!r} does not come with tatc, and no file can choose it"
                fix = f"name the agent yourself with --{role}"
                raise BadInput(why, where=f"{self.where}.{role}", fix=fix)


PLANNERS = ("policies", "policies-only", "pddl", "fast-downward")
"""What the rule Commander plans with; the default comes first: policies, and PDDL if they fail."""


def commander_with_planner(commander: str, planner: str) -> str:
    """Return the name of a Commander with this planner; only the rule Commander has a choice."""
    UnknownName.check("planner", planner, PLANNERS)
    if planner == PLANNERS[0]:
        return commander
    if commander not in ("rule", planner):
        why = f"--planner is for the rule Commander, not for {commander}"
        raise BadInput(why, fix="leave out --planner or --commander")
    return planner


def commander_factory(name: str, wording: str = Wording.ACTIONS) -> Callable[[], Commander]:
    """Return the factory of the Commander of this name, speaking in this wording."""
    UnknownName.check("wording", wording, Wording)
    if name == agent_names.PERSON_COMMANDER:
        why = "the Commander me is you, and only `tatc run` lets you type"
        raise BadInput(why, where="--commander", fix="use `tatc run`, or name another --commander")
    if name == "fast-downward":
        find_fast_downward()
    make: Callable[..., Commander] = _find_agent("Commander", name)
    if wording == Wording.ACTIONS:
        return make
    if name not in agent_names.COMMANDERS_WITH_WORDING:
        why = f"--wording is for the rule Commander, not for {name}"
        raise BadInput(why, fix="leave out --wording or --commander")
    return partial(make, Wording(wording))


def wording_for_tools(commander: str, wording: str | None) -> str:
    """Return the wording that is meant where tools are called: by default bearings, if it can."""
    has_choice = commander in agent_names.COMMANDERS_WITH_WORDING
    return wording or (Wording.BEARINGS if has_choice else Wording.ACTIONS)


def follower_factory(name: str) -> Callable[[], Follower]:
    """Return the factory of the Follower of this name."""
    if agent_names.is_learned_name(name):
        return learned_followers.learned_follower_factory(name)
    make: Callable[[], Follower] = _find_agent("Follower", name)
    return make


def check_recalls(make: Any, name: str, option: str) -> None:
    """Check that a Follower's class, or what makes one, reads dialogue with named goals."""
    if not agent_traits.traits_of(make).recalls_names:
        why = f"the Follower {name} reads no dialogue that could recall a name"
        raise BadInput(why, where=option, fix="leave it out, or name --follower listener")


def ablation_names(
    follower: str, input_modes: tuple[InputMode, ...] = SESSION_ABLATIONS
) -> tuple[str, ...]:
    """Return the names of a learned Follower's ablations, none for other Followers.

    A pointing Follower has its own, whatever `input_modes` say.
    """
    name, colon, file = follower.partition(":")
    if name != LEARNED_FAMILY:
        return ()
    modes = POINTING_ABLATIONS if learned_followers.points_at_instances(follower) else input_modes
    return tuple(f"{LEARNED_FAMILY}-{mode}{colon}{file}" for mode in modes)


def wording_for_follower(follower: str) -> Wording:
    """Return the wording that a Follower was made for."""
    if agent_names.is_model_agent(follower):
        return Wording.BEARINGS
    learned = follower.partition(":")[0].startswith(LEARNED_FAMILY)
    return Wording.STEPS if learned else Wording.ACTIONS


def usual_wording(commander: str, follower: str) -> Wording:
    """Return a Commander's wording unless the user names one: what the Follower was made for."""
    has_wordings = commander in agent_names.COMMANDERS_WITH_WORDING
    return wording_for_follower(follower) if has_wordings else Wording.ACTIONS


_given_agents: dict[str, Any] = {}


@contextmanager
def agents_given(made: Mapping[str, Any]) -> Generator[None]:
    """Let names stand for what a caller from Python has given, in this process, in the block."""
    _given_agents.update(made)
    try:
        yield
    finally:
        for name in made:
            del _given_agents[name]


def has_given_agents() -> bool:
    """Return whether names stand for agents that no other process can find."""
    return bool(_given_agents)


def _find_agent(noun: str, name: str) -> Any:
    is_commander = noun == "Commander"
    followers = {**agent_names.FOLLOWERS, **agent_names.CONTROL_FOLLOWERS}
    shipped = agent_names.COMMANDERS if is_commander else followers
    group = agent_names.COMMANDER_GROUP if is_commander else agent_names.FOLLOWER_GROUP
    if agent_names.is_model_agent(name):
        model = agent_names.MODEL_COMMANDER if is_commander else agent_names.MODEL_FOLLOWER
        return import_target(model)
    target = shipped.get(name) or (name if ":" in name else None)
    target = target or agent_names.installed_agents(group).get(name)
    if target is None:
        known = agent_names.commander_names() if is_commander else agent_names.follower_names()
        raise UnknownName(noun, name, known, fix=f"name one of {', '.join(known)}, or module:Class")
    found = import_target(target)
    is_agent = callable(found) and all(hasattr(found, m) for m in ("begin", "act"))
    if not is_agent and target not in _given_agents:
        why = f"is no {noun}: it lacks `begin` or `act`"
        raise BadInput(why, where=target, fix="see docs/tutorial/follower.md")
    return found


def import_target(target: str) -> Any:
    """Return the object that `module:Class` names; the current folder is searched too."""
    if target in _given_agents:
        return _given_agents[target]
    module_name, _, path = target.partition(":")
    try:
        with current_folder_importable(module_name), process_pool.importing(module_name):
            found: Any = import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
    except (TatcError, KeyboardInterrupt):
        raise
    except (ImportError, AttributeError, ValueError) as fault:
        why = f"cannot be imported: {fault}"
        raise BadInput(why, where=target, fix="name it as module:Class") from fault
    except BaseException as fault:  # whatever a user's module may raise, `sys.exit` too
        why = f"cannot be imported: {error_words(fault)}"
        raise BadInput(why, where=target, fix="mend the module") from fault
    return found


@contextmanager
def current_folder_importable(module_name: str) -> Generator[None]:
    """Let the block import a module that the user named from the current folder too.

    The module is looked for there first, as `python -m` does.  Whatever it imports in turn is
    looked for there last, so that no file there stands in for a module of Python's or of an
    installed package.
    """
    try:
        here = str(Path.cwd())
    except FileNotFoundError as fault:
        raise BadInput("the current folder is gone", fix="change to another: cd FOLDER") from fault
    finder = _NamedModuleFinder(module_name.partition(".")[0], here)
    sys.meta_path.insert(0, finder)
    sys.path.append(here)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.path.remove(here)


class _NamedModuleFinder(MetaPathFinder):
    def __init__(self, name: str, folder: str) -> None:
        self._name, self._folder = name, folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's place, None for other modules and for a folder without files."""
        if fullname != self._name:
            return None
        found = PathFinder.find_spec(fullname, [self._folder], target)
        return found if found is not None and found.loader is not None else None


# Subgoal policies of the user's own: each file of a folder is imported by its path, in the order of
# names, and registers policies by `@policy("isDirty")`, as those of tatc do.  One that replaces
# another says so: `@policy("isDirty", override=True)`.


@contextmanager
def user_policies(folders: Sequence[str | Path]) -> Generator[None]:
    """Add the policies of these folders while the block runs; without folders, change nothing."""
    if not folders:
        yield
        return
    with policies.temporary_policies():
        for folder in arguments.texts(folders, "--policies"):
            for path in _policy_files(Path(folder)):
                _load_policy_file(path)
        yield


def _policy_files(folder: Path) -> list[Path]:
    with os_errors_as(BadInput, "cannot be read", folder, fix="give a folder of policy files"):
        files = sorted(each for each in folder.iterdir() if each.suffix == ".py")
    if not files:
        raise BadInput("holds no policy files", where=str(folder), fix="their names end in .py")
    return files


def _load_policy_file(path: Path) -> None:
    check_file(path, POLICY)
    spec = spec_from_file_location(f"tatc_own_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadInput("cannot be imported", where=str(path), fix="name it *.py")
    module = module_from_spec(spec)
    try:
        with process_pool.importing(str(path)):
            spec.loader.exec_module(module)
    except TatcError as fault:
        raise BadInput(fault.what, where=fault.where or str(path), fix=fault.fix) from fault
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # whatever a user's file may raise, `sys.exit` too
        why = f"cannot be imported: {error_words(fault)}"
        raise BadInput(why, where=str(path), fix="mend the file") from fault


# Agents whose actions are decided outside the session: by an environment, or by tool calls.


class ExternalCommander:
    """A Commander that takes the action which `next_action` holds, at first Stop."""

    decisions: tuple[Decision, ...] = ()  # nobody knows its reasons
    next_action = actions.Action(actions.Verb.STOP)

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""

    def act(self, view: CommanderView) -> actions.Action:
        """Return `next_action`."""
        return self.next_action


class ExternalFollower:
    """A Follower that takes the action which `next_action` holds, at first Stop."""

    next_action = actions.Action(actions.Verb.STOP)

    def begin(self) -> None:
        """Begin a session."""

    def act(self, observation: Observation) -> actions.Action:
        """Return `next_action`."""
        return self.next_action
