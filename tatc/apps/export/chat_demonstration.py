"""Demonstrations: solved sessions in which one agent is played by tool calls, for language models.

The agent is played through a `ToolSession`, as a model plays it, so that texts and tools are those
that a model is shown.  An expert decides on the calls.  For the Follower it does what the rule
Commander means, whatever its wording.  For the Commander it is the rule Commander, which checks,
searches and tells; to a Follower that understands free words it speaks itself.
"""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, islice, takewhile
from typing import Any

from tatc.base import errors, json_fields, version
from tatc.commander import CommanderView, RuleCommander
from tatc.commander.plan_builder import PlannedStep
from tatc.home import actions, refusals
from tatc.home.actions import Role, Verb
from tatc.language import Wording, say
from tatc.language.llm.chat_request import FunctionCall
from tatc.session import model_play_settings, start as starts, tool_session
from tatc.session.agents import agent_names, agents, session_setup
from tatc.session.records import record
from tatc.session.text_world import follower_interface, model_agents, tools, wording
from tatc.tdl import shipped_library

TEXT_WORLD = f"{wording.TEXT_WORLD_VERSION} {wording.wording_hash()}"
"""The version of the text world, and the hash of its words."""
ROLES = {role.name.lower(): role for role in Role}
MAX_CALLS = 600
"""Calls of one demonstration, after which its session counts as not solved."""
_ACTION_OF_VERB = {verb: name for name, verb in tools.INTERACTION_VERBS_BY_ACTION.items()}
_MOTION_CALLS = {
    **{verb: ("move", name) for name, verb in tools.VERBS_BY_MOVE.items()},
    **{Verb.TURN_LEFT: ("turn", "left"), Verb.TURN_RIGHT: ("turn", "right")},
    **{Verb.LOOK_UP: ("look", "up"), Verb.LOOK_DOWN: ("look", "down")},
}


class LeftOut(Exception):
    """Why a session gives no demonstration, in words that many sessions share."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The demonstrated role, both agents, and how the Commander speaks."""

    role: str
    commander: str = "rule"
    follower: str = "rule"
    wording: str = ""

    def __str__(self) -> str:
        """Return the words that tell pairs apart in one file."""
        return f"{self.role} {self.commander} {self.follower} {self.wording}"

    @staticmethod
    def checked(role: str, commander: str, follower: str, wording: str | None) -> "Pair":
        """Return a pair that can be demonstrated, or raise a BadInput.

        Without a wording, the Commander speaks to a demonstrated Follower in steps, and if it is
        demonstrated itself in goals, which a Follower that listens understands.
        """
        if role not in ROLES:
            raise errors.UnknownName("role", role, ROLES, fix=f"name {', '.join(ROLES)} or both")
        usual = Wording.STEPS if ROLES[role] is Role.FOLLOWER else Wording.GOALS
        if commander not in agent_names.COMMANDERS_WITH_WORDING:
            why = f"what the Commander {commander} means is not known, only what rule does"
            raise errors.BadInput(why, where="--commander", fix="name rule, pddl or policies-only")
        agents.commander_factory(commander, wording or usual)
        agents.follower_factory(follower)
        if ROLES[role] is Role.FOLLOWER and follower != "rule":
            why = f"the Follower {follower} cannot be demonstrated, only rule"
            raise errors.BadInput(
                why, where="--follower", fix="give --role commander, or name rule"
            )
        return Pair(role, commander, follower, wording or usual)


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """All that a demonstration's session is made of, so that it can be played again."""

    pair: Pair
    room: str
    task: str
    params: tuple[str, ...]
    seed: int

    @staticmethod
    def of(start: starts.SessionStart, pair: Pair) -> "SessionPlan":
        """Return the plan of a session that starts in a room."""
        return SessionPlan(pair, start.room or "", start.task.name, start.task.params, start.seed)

    @staticmethod
    def read(line: Mapping[str, Any]) -> "SessionPlan":
        """Return the plan of a demonstration's line; a BadInput or a FieldError if it has none."""
        facts = json_fields.as_mapping(line.get("tatc"), "tatc")
        names = "role", "commander", "follower", "wording", "room", "task"
        *pair, room, task = (json_fields.get_text(facts, name) for name in names)
        params = json_fields.as_list(facts.get("params"), "params")
        seed = json_fields.as_integer(facts.get("seed"), "seed")
        return SessionPlan(Pair.checked(*pair), room, task, tuple(map(str, params)), seed)

    @property
    def session_id(self) -> str:
        """What the session is called."""
        return record.session_id_of(None, self.room, self.task, self.seed)

    def start(self) -> starts.SessionStart:
        """Return the start of the session."""
        return _start_in_room(self.room, self.task, self.params, self.seed)


@lru_cache(maxsize=2)
def _start_in_room(room: str, task: str, params: tuple[str, ...], seed: int) -> starts.SessionStart:
    names = (each.name for each in shipped_library().find(task).parameters)
    given = [f"{name}={value}" for name, value in zip(names, params, strict=True)]
    return starts.start_from_room_name(room, shipped_library(), task, given, seed)


class Player:
    """Plays one agent by tool calls, and keeps what it read and called.

    `mistakes` counts the calls that were refused or failed, `unseen` the objects that were to be
    acted on and of which the agent did not read.
    """

    def __init__(self, plan: SessionPlan, *, with_refusals: bool = True) -> None:
        """Begin the session of a plan, which ends with the first mistake unless they are kept."""
        pair, self.role = plan.pair, ROLES[plan.pair.role]
        setup = session_setup.SessionSetup(commander=pair.commander, wording=pair.wording)
        if self.role is Role.COMMANDER:
            setup = session_setup.SessionSetup(follower=pair.follower)
        self.session = tool_session.ToolSession(plan.start(), setup, plays=(self.role,))
        self.turns: list[model_agents.Turn] = []
        self.mistakes = self.unseen = 0
        self._with_refusals = with_refusals

    @property
    def goes_on(self) -> bool:
        """Whether another call may be made."""
        may = len(self.turns) < MAX_CALLS and (
            self._with_refusals or not self.mistakes + self.unseen
        )
        return self.session.end is None and may

    def call(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Make a call; return whether it was carried out, and all that it led to went well."""
        session, before = self.session, len(self.session.loop.interactions)
        number = f"call{len(self.turns) + 1:05}"  # nine letters and digits, as all servers take
        made = FunctionCall(number, name, json.dumps(arguments))
        reading = session.reading(self.role)
        read = model_agents.as_data(reading.changes if self.turns else reading.whole)
        self.turns.append(model_agents.Turn(read, calls=(made,)))
        session.call(self.role, name, arguments)
        new = session.loop.interactions[before:]
        done = bool(new) or session.end is not None
        done &= all(
            each.success is not False for each in new if each.verb in actions.PRIMITIVE_VERBS
        )
        self.mistakes += not done
        return done

    def messages(self) -> list[dict[str, Any]]:
        """Return the conversation so far, as the chat completions interface has it."""
        prompt = model_agents.system_prompt(
            self.role, self.session.tool_specs(self.role), as_json=False
        )
        found, before = [dict[str, Any](role="system", content=prompt)], None
        for turn in self.turns:
            found += (each.to_json() for each in turn.messages(before))
            before = turn
        return found

    def line(self, plan: SessionPlan, source: str) -> dict[str, Any]:
        """Return the line of a demonstration, which comes from this source."""
        result = self.session.result()
        done = [[record.interaction_json(each) for each in result.interactions], result.end.value]
        schemas = self.session.tools(self.role)
        return {
            "messages": self.messages(),
            "tools": [{"type": "function", "function": each} for each in schemas],
            "tatc": {
                "source": source,
                "session": plan.session_id,
                **{name: value for name, value in asdict(plan).items() if name != "pair"},
                **asdict(plan.pair),
                "params": list(plan.params),
                "calls": len(self.turns),
                "mistakes": self.mistakes,
                "end": result.end.value,
                "record": sha256(json.dumps(done).encode()).hexdigest(),
                "text_world": TEXT_WORLD,
                "version": version.__version__,
            },
        }


def demonstrate(plan: SessionPlan, source: str, *, with_refusals: bool = False) -> dict[str, Any]:
    """Play a session and return its line, or raise LeftOut for one that shows nothing good."""
    player = Player(plan, with_refusals=with_refusals)
    (_play_follower if player.role is Role.FOLLOWER else _play_commander)(player, plan.pair)
    if (player.mistakes or player.unseen) and not with_refusals:
        raise LeftOut("a call failed" if player.mistakes else "an object was not in view")
    if not player.session.result().success:
        raise LeftOut("the task was not done")
    line = player.line(plan, source)
    if why := replay(line):
        raise LeftOut(f"played again, {why}")
    return line


def replay(line: Mapping[str, Any]) -> str:
    """Play the calls of a demonstration again; return how it first differs, "" if it does not.

    Every text is compared, the tools, and what was done and said in the session.
    """
    plan, facts = SessionPlan.read(line), line["tatc"]
    line = with_arguments(line, as_objects=False)
    player, messages = Player(plan), json_fields.as_list(line.get("messages"), "messages")
    for made in (each for message in messages for each in message.get("tool_calls") or ()):
        arguments = json_fields.as_mapping(json.loads(made["function"]["arguments"]), "arguments")
        player.call(made["function"]["name"], arguments)
    again = player.line(plan, facts.get("source"))
    for number, (old, new) in enumerate(zip(messages, again["messages"], strict=False)):
        if old != new:
            return f"message {number} is another one"
    differing = (name for name, value in again["tatc"].items() if facts.get(name) != value)
    parts = (name for name in ("messages", "tools") if line.get(name) != again[name])
    name = next(chain(parts, differing), "")
    return f"{name} is another one" if name else ""


def with_arguments(line: Mapping[str, Any], *, as_objects: bool) -> dict[str, Any]:
    """Return a line in which the arguments of calls are objects, or else JSON in strings.

    The fine-tuning API of OpenAI takes strings; chat templates of some models take objects alone.
    """
    copied: dict[str, Any] = json.loads(json.dumps(line))
    for made in (
        each for message in copied["messages"] for each in message.get("tool_calls") or ()
    ):
        function = made["function"]
        text = isinstance(function["arguments"], str)
        if text and as_objects:
            function["arguments"] = json.loads(function["arguments"])
        elif not (text or as_objects):
            function["arguments"] = json.dumps(function["arguments"])
    return copied


def _play_follower(player: Player, pair: Pair) -> None:
    queue, commander = deque[PlannedStep](), player.session.commander
    assert isinstance(commander, RuleCommander)
    while player.goes_on:
        if commander.has_ended:
            player.call("stop", {})
        elif not queue:
            player.call("ask", {})
            queue.extend(commander.stretch)
        elif (report := _do_next(player, queue)) and player.goes_on:
            player.call("say", {"words": say(report)})
            queue = deque(commander.stretch)


def _do_next(player: Player, queue: deque[PlannedStep]) -> actions.FailureReport | None:
    """Call for the next steps, as many as one call can do; return what could not be done."""
    session, planned = player.session, queue.popleft()
    step = planned.step
    if planned.action_key is None:
        name, direction = _MOTION_CALLS[step.verb]
        arguments: dict[str, Any] = {"direction": direction}
        if step.verb in actions.TRANSLATION_VERBS:
            same = takewhile(lambda each: each.step == step, queue)
            arguments["times"] = 1 + len(tuple(islice(same, tools.MAX_STEPS_PER_MOVE - 1)))
        done = player.call(name, arguments)
        for _ in range(arguments.get("times", 1) - 1):
            queue.popleft()
    else:
        number = session.number_of(planned.action_key[1])
        shown = session.follower_interface.seen[: follower_interface.MAX_OBJECTS]
        seen = next((each for each in shown if each.number == number), None)
        if seen is None:
            player.unseen += 1
            return actions.FailureReport(step, refusals.RefusalCode.NOT_VISIBLE)
        action = _ACTION_OF_VERB[step.verb]
        done = player.call("do", {"action": action, "object": seen.handle})
    result = session.loop.last_result
    if done or result is None:
        return None
    return actions.FailureReport(step, (result.refusal_code or refusals.RefusalCode.UNKNOWN).value)


def _play_commander(player: Player, pair: Pair) -> None:
    session, heard = player.session, 0
    expert = agents.commander_factory(pair.commander, pair.wording)()
    assert isinstance(expert, RuleCommander)
    expert.begin(session.loop.oracle, session.start.task)
    while player.goes_on:
        if expert.has_ended:
            player.call("stop", {})
            continue
        new = [e for e in session.loop.interactions[heard:] if e.role is Role.FOLLOWER]
        heard = len(session.loop.interactions)
        said = (actions.Utterance(e.role, e.text, e.time) for e in new if e.verb is Verb.TEXT)
        expert.act(CommanderView(tuple(said), None))
        player.call("check", {})
        progress = session.start.task.check(session.loop.oracle.snapshot())
        words = expert.act(CommanderView((), progress)).text
        if (
            model_play_settings.ModelPlay().speech_to(pair.follower)
            is model_play_settings.SpeechKind.WORDS
        ):
            player.call("say", {"words": words})
        elif not expert.has_ended:
            _tell_stretch(player, [each for each in expert.stretch if each.action_key])


def _tell_stretch(player: Player, steps: Sequence[PlannedStep]) -> None:
    """Tell the interactions of a stretch, one after the other, until one goes wrong."""
    interface, home = player.session.commander_interface, player.session.snapshot()
    for number, planned in enumerate(steps):
        assert planned.action_key is not None
        object_id = planned.action_key[1]
        # What a search finds names its place too: first for what lies in an object, then for it.
        for each in (*steps[number + 1 :], planned):
            obj = home.get(each.action_key[1]) if each.action_key else None
            is_inside = obj is not None and object_id in (obj.parentReceptacles or ())
            if interface.find_handle(object_id) is None and (is_inside or each is planned):
                player.call("search", {"type": each.step.object_type})
        if (handle := interface.find_handle(object_id)) is None:
            raise LeftOut("a search does not find the object that is meant")
        told = {"action": _ACTION_OF_VERB[planned.step.verb], "object": handle}
        if not (player.goes_on and player.call("tell", told)):
            return
