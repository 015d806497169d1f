"""Demonstrations: solved sessions in which one agent is played by tool calls, for language models.

The agent is played through a `ToolSession`, as a model plays it, so that the texts and tools are
those that a model is shown.  An expert decides on the calls.  The Follower does what the rule
Commander means, whatever its wording.  The Commander is the rule Commander, which checks, searches
and tells; to a Follower that understands free words it says its own.
"""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from hashlib import sha256
from itertools import islice, takewhile
from typing import Any

from tatc.base import errors, json_fields
from tatc.base.version import __version__
from tatc.commander import CommanderView, RuleCommander
from tatc.commander.plan_builder import PlannedStep
from tatc.home.actions import (
    PRIMITIVE_VERBS,
    TRANSLATION_VERBS,
    FailureReport,
    Role,
    Utterance,
    Verb,
)
from tatc.home.refusals import RefusalCode
from tatc.language import Wording, say
from tatc.language.llm.chat_request import FunctionCall
from tatc.session.agents import agents
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.model_play_settings import ModelPlay, SpeechKind
from tatc.session.records.record import interaction_json, session_id_of
from tatc.session.start import SessionStart, start_from_room_name
from tatc.session.text_world import TEXT_WORLD_VERSION, Grain, tools, wording_hash
from tatc.session.text_world.model_agents import Turn, as_data, system_prompt
from tatc.session.tool_session import ToolSession
from tatc.tdl import shipped_library

MAX_CALLS = 600
"""Calls of one demonstration, after which its session counts as not solved."""
_ROLES = {role.name.lower(): role for role in Role}
_TOOL_OF_VERB = {verb: name for name, verb in tools.INTERACTION_VERBS_BY_TOOL.items()}
_MOTION_CALLS = {
    **{verb: ("move", name) for name, verb in tools.VERBS_BY_MOVE.items()},
    **{Verb.TURN_LEFT: ("turn", "left"), Verb.TURN_RIGHT: ("turn", "right")},
    **{Verb.LOOK_UP: ("look", "up"), Verb.LOOK_DOWN: ("look", "down")},
}


class LeftOut(Exception):
    """Why a session gives no demonstration, in words that many sessions share."""


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """All that a demonstration's session is made of, so that it can be played again."""

    room: str
    task: str
    params: tuple[str, ...]
    seed: int
    role: str
    commander: str
    follower: str
    wording: str

    @property
    def key(self) -> str:
        """What the session and its role are called; those of one file have different keys."""
        return f"{session_id_of(None, self.room, self.task, self.seed)} {self.role}"

    def start(self) -> SessionStart:
        """Return the start of the session."""
        return _start_in_room(self.room, self.task, self.params, self.seed)

    def begin(self) -> ToolSession:
        """Begin the session, in which the demonstrated agent waits for its first call."""
        if _ROLES[self.role] is Role.COMMANDER:
            setup = SessionSetup(follower=self.follower)
        else:
            setup = SessionSetup(commander=self.commander, wording=self.wording)
        return ToolSession(self.start(), setup, plays=(_ROLES[self.role],), grain=Grain.GO_TO)

    @property
    def speech(self) -> SpeechKind:
        """How the Commander speaks, if it is demonstrated."""
        return ModelPlay().speech_to(self.follower)


@lru_cache(maxsize=2)
def _start_in_room(room: str, task: str, params: tuple[str, ...], seed: int) -> SessionStart:
    return start_from_room_name(room, shipped_library(), task, params, seed)


def parse_roles(name: str) -> tuple[str, ...]:
    """Return the roles that a user names: one of them, or both."""
    if name not in (*_ROLES, "both"):
        raise errors.UnknownName("role", name, (*_ROLES, "both"), fix="name one of these or both")
    return tuple(_ROLES) if name == "both" else (name,)


def check_pair(role: str, commander: str, follower: str, wording: str | None) -> str:
    """Return the wording of a pair in which one role is demonstrated, or raise a BadInput.

    Without a wording, the Commander speaks to a demonstrated Follower in steps, and a demonstrated
    one in goals, which a Follower that listens understands.
    """
    usual = Wording.STEPS if role == "follower" else Wording.GOALS
    make = agents.commander_factory(commander, wording or usual)
    if not isinstance(make(), RuleCommander):
        why = f"the Commander {commander} does not say what it means"
        raise errors.BadInput(why, where="--commander", fix="name rule, pddl or policies-only")
    agents.follower_factory(follower)
    if role == "follower" and follower != "rule":
        why = f"the Follower {follower} cannot be shown, only rule"
        raise errors.BadInput(why, where="--follower", fix="name rule, or --role commander")
    return wording or usual


def plan_for(
    start: SessionStart, role: str, commander: str, follower: str, wording: str | None
) -> SessionPlan:
    """Return the plan of a session in a room."""
    wording = check_pair(role, commander, follower, wording)
    task, room = start.task, start.room or ""
    return SessionPlan(room, task.name, task.params, start.seed, role, commander, follower, wording)


class Player:
    """Plays one agent by tool calls, and keeps what it read and called.

    `mistakes` counts the calls that were refused, that failed, or that the home did not allow.
    """

    def __init__(self, plan: SessionPlan) -> None:
        """Begin the session of a plan."""
        self.session, self.role = plan.begin(), _ROLES[plan.role]
        self.turns: list[Turn] = []
        self.mistakes = 0

    @property
    def goes_on(self) -> bool:
        """Whether another call may be made."""
        return self.session.end is None and len(self.turns) < MAX_CALLS

    def call(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Make a call; return whether it was carried out, and all that it led to went well."""
        session, before = self.session, len(self.session.loop.interactions)
        number = f"call{len(self.turns) + 1:05}"  # nine letters and digits, as all servers take
        made = FunctionCall(number, name, json.dumps(arguments))
        self.turns.append(Turn(as_data(session.text(self.role)), call=made))
        session.call(self.role, name, arguments)
        new = session.loop.interactions[before:]
        done = bool(new) or session.end is not None
        done &= all(each.success is not False for each in new if each.verb in PRIMITIVE_VERBS)
        self.mistakes += not done
        return done

    def messages(self) -> list[dict[str, Any]]:
        """Return the conversation so far, as the chat completions interface has it."""
        interface = self.session.tool_specs(self.role)
        found: list[dict[str, Any]] = [
            {"role": "system", "content": system_prompt(self.role, interface, as_json=False)}
        ]
        before = None
        for turn in self.turns:
            found += (each.to_json() for each in turn.messages(before))
            before = turn.call
        return found

    def record_hash(self) -> str:
        """Return the hash of what was done and said in the session, and of its end."""
        result = self.session.result()
        done = [interaction_json(each) for each in result.interactions]
        return sha256(json.dumps([done, result.end.value]).encode()).hexdigest()


def demonstrate(plan: SessionPlan, *, with_refusals: bool = False) -> dict[str, Any]:
    """Play a session and return its line, or raise LeftOut for one that shows nothing good."""
    player = Player(plan)
    play = _play_follower if player.role is Role.FOLLOWER else _play_commander
    play(player, plan)
    if not player.session.result().success:
        raise LeftOut("the task was not done")
    if player.mistakes and not with_refusals:
        raise LeftOut("a call failed")
    facts = asdict(plan) | {
        "params": list(plan.params),
        "session": plan.key,
        "calls": len(player.turns),
        "mistakes": player.mistakes,
        "record": player.record_hash(),
        "text_world": f"{TEXT_WORLD_VERSION} {wording_hash()}",
        "version": __version__,
    }
    schemas = [{"type": "function", "function": each} for each in player.session.tools(player.role)]
    return {"messages": player.messages(), "tools": schemas, "tatc": facts}


def plan_of_line(line: Mapping[str, Any]) -> SessionPlan:
    """Return the plan of a demonstration's line; a FieldError where it has none."""
    facts = json_fields.as_mapping(line.get("tatc"), "tatc")
    values = {
        each.name: json_fields.get_text(facts, each.name)
        for each in fields(SessionPlan)
        if each.name not in ("params", "seed")
    }
    params = json_fields.as_list(facts.get("params"), "params")
    seed = json_fields.as_integer(facts.get("seed"), "seed")
    if values["role"] not in _ROLES:
        raise json_fields.FieldError("tatc.role", f"is no role: {values['role']!a:.40}")
    return SessionPlan(params=tuple(map(str, params)), seed=seed, **values)


def replay(line: Mapping[str, Any]) -> str:
    """Play the calls of a demonstration again; return how it first differs, "" if it does not.

    Every text is compared, the tools, and what was done and said in the session.
    """
    plan = plan_of_line(line)
    facts: Mapping[str, Any] = line["tatc"]
    messages = json_fields.as_list(line.get("messages"), "messages")
    player = Player(plan)
    for message in messages:
        for made in message.get("tool_calls") or ():
            function = made["function"]
            player.call(str(function["name"]), json.loads(function["arguments"]))
    again = player.messages()
    for number, (old, new) in enumerate(zip(messages, again, strict=False)):
        if old != new:
            return f"message {number} is another one"
    if len(again) != len(messages):
        return f"{len(again)} messages, not {len(messages)}"
    if player.session.end is None:
        return "the session has not ended"
    if player.record_hash() != facts.get("record"):
        return "what was done is not what the record's hash says"
    return "" if player.session.result().success else "the task is not done"


def _play_follower(player: Player, plan: SessionPlan) -> None:
    session, queue = player.session, deque[PlannedStep]()
    commander = session.commander
    assert isinstance(commander, RuleCommander)
    while player.goes_on:
        if commander.has_ended:
            player.call("stop", {})
        elif not queue:
            player.call("ask", {})
            queue.extend(commander.stretch)
        elif report := _do_next(player, queue):
            player.call("say", {"words": say(report)})
            queue = deque(commander.stretch)


def _do_next(player: Player, queue: deque[PlannedStep]) -> FailureReport | None:
    """Call for the next steps, as many as one call can do; return what could not be done."""
    session, step = player.session, queue[0].step
    if step.click is None:
        name, direction = _MOTION_CALLS[step.verb]
        arguments: dict[str, Any] = {"direction": direction}
        count = 1
        if step.verb in TRANSLATION_VERBS:
            same = takewhile(lambda each: each.step.verb is step.verb, queue)
            count = arguments["times"] = len(tuple(islice(same, tools.MAX_STEPS_PER_MOVE)))
        done = player.call(name, arguments)
        for _ in range(count):
            queue.popleft()
    else:
        planned = queue.popleft()
        number = session.number_of(planned.action_key[1]) if planned.action_key else None
        seen = next((e for e in session.follower_interface.seen if e.number == number), None)
        if seen is None:
            player.mistakes += 1
            return FailureReport(step, RefusalCode.NOT_VISIBLE)
        done = player.call(_TOOL_OF_VERB[step.verb], {"object": seen.handle})
    result = session.loop.last_result
    if done or result is None:
        return None
    return FailureReport(step, (result.refusal_code or RefusalCode.UNKNOWN).value)


def _play_commander(player: Player, plan: SessionPlan) -> None:
    session, heard = player.session, 0
    expert = agents.commander_factory(plan.commander, plan.wording)()
    assert isinstance(expert, RuleCommander)
    expert.begin(session.loop.oracle, session.start.task)
    while player.goes_on:
        if expert.has_ended:
            player.call("stop", {})
            continue
        log = session.loop.interactions
        said = [e for e in log[heard:] if e.verb is Verb.TEXT and e.role is Role.FOLLOWER]
        heard = len(log)
        expert.act(CommanderView(tuple(Utterance(e.role, e.text, e.time) for e in said), None))
        player.call("check", {})
        progress = session.start.task.check(session.loop.oracle.snapshot())
        words = expert.act(CommanderView((), progress)).text
        if plan.speech is SpeechKind.WORDS:
            player.call("say", {"words": words})
        elif not expert.has_ended:
            _tell_stretch(player, expert.stretch)


def _tell_stretch(player: Player, steps: Sequence[PlannedStep]) -> None:
    """Tell the interactions of a stretch, one after the other, until one goes wrong."""
    named = player.session.commander_interface.find_handle
    for planned in steps:
        if planned.action_key is None or not player.goes_on:
            continue
        verb, object_id, *_ = planned.action_key
        if (handle := named(object_id)) is None:
            player.call("search", {"type": planned.step.object_type})
            handle = named(object_id)
        if handle is None:
            raise LeftOut("a search does not find the object that is meant")
        if not player.call("tell", {"action": _TOOL_OF_VERB[Verb(verb)], "object": handle}):
            return
