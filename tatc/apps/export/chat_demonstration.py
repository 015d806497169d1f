"""Demonstrations: solved sessions in which one agent is played by tool calls, for language models.

The agent is played through a `ToolSession`, so that texts and tools are those that a model reads.
An expert, the rule Commander, decides on the calls: a Follower does what it means in any wording, a
Commander checks, searches and tells as it does, or says its words to a Follower that takes words.

Lines are in the order of their sessions: a file that was cut short is continued to the same bytes.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from hashlib import sha256
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from tatc.base import errors, files, process_pool, version
from tatc.commander import CommanderView, RuleCommander, plan_builder
from tatc.home import actions, refusals
from tatc.language import Wording
from tatc.language.llm.chat_request import FunctionCall
from tatc.language.speech import say_failure_in_words
from tatc.session import model_play_settings, records, start as starts, tool_session, worlds
from tatc.session.agents import agent_names, agents, session_setup
from tatc.session.text_world import follower_interface, model_agents, tools, wording
from tatc.session.timeline import timeline
from tatc.tdl import shipped_library

TEXT_WORLD = f"{wording.TEXT_WORLD_VERSION} {wording.wording_hash()}"
"""The version of the text world, and the hash of its words."""
ROLES = {role.name.lower(): role for role in actions.Role}
MAX_CALLS = 600  # calls of one demonstration, after which its session counts as not solved
_ACTION_OF_VERB = {verb: name for name, verb in tools.INTERACTION_VERBS_BY_ACTION.items()}
_MOTION_CALLS = {
    **{verb: ("move", name) for name, verb in tools.VERBS_BY_MOVE.items()},
    **{actions.Verb.TURN_LEFT: ("turn", "left"), actions.Verb.TURN_RIGHT: ("turn", "right")},
    **{actions.Verb.LOOK_UP: ("look", "up"), actions.Verb.LOOK_DOWN: ("look", "down")},
}


Pair = tuple[str, str, str, str]
"""The demonstrated role, the Commander, the Follower, and how the Commander speaks."""


def checked_pair(role: str, commander: str, follower: str, wording: str | None) -> Pair:
    """Return a pair that can be demonstrated, or raise a BadInput.

    Without a wording, the Commander speaks to a demonstrated Follower in bearings, and if it is
    demonstrated itself in goals, which a Follower that listens understands.
    """
    if role not in ROLES:
        raise errors.UnknownName("role", role, ROLES, fix=f"name {', '.join(ROLES)} or both")
    is_follower = ROLES[role] is actions.Role.FOLLOWER
    wording = wording or (Wording.BEARINGS if is_follower else Wording.GOALS)
    followers = ("rule",) if is_follower else agent_names.FOLLOWERS
    if commander not in agent_names.COMMANDERS_WITH_WORDING or follower not in followers:
        why = f"the {role} of the pair {commander} and {follower} cannot be demonstrated"
        fix = "name --commander rule, pddl or policies-only, and --follower rule"
        raise errors.BadInput(why, fix=f"{fix}, or listener with --role commander")
    agents.commander_factory(commander, wording)
    return role, commander, follower, wording


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """All that a demonstration's session is made of, so that it can be played again."""

    room: str
    task: str
    params: Sequence[str]
    seed: int
    role: str
    commander: str
    follower: str
    wording: str

    @staticmethod
    def of(start: starts.SessionStart, pair: Pair) -> "SessionPlan":
        """Return the plan of a session that starts in a room."""
        task = start.task
        return SessionPlan(start.room or "", task.name, list(task.params), start.seed, *pair)

    @staticmethod
    def in_split(name: str, number: int, pair: Pair) -> "SessionPlan":
        """Return the plan of a split's session."""
        return SessionPlan.of(starts.load_split(name).draw(number), pair)

    def start(self) -> starts.SessionStart:
        """Return the start of the session."""
        library = shipped_library()
        names = (each.name for each in library.find(self.task).parameters)
        given = [f"{name}={value}" for name, value in zip(names, self.params, strict=True)]
        return starts.start_from_room_name(self.room, library, self.task, given, self.seed)


class Player:
    """Plays one agent by tool calls; keeps what it read and called, and counts the mistakes."""

    def __init__(self, plan: SessionPlan, *, with_refusals: bool) -> None:
        """Begin the session of a plan; without refusals, a call that fails raises a BadInput."""
        self.plan, self.role, self.with_refusals = plan, ROLES[plan.role], with_refusals
        expert = agents.commander_factory(plan.commander, plan.wording)()
        assert isinstance(expert, RuleCommander)
        self.expert = expert
        setup = session_setup.SessionSetup(follower=plan.follower)
        self.session = tool_session.ToolSession(
            plan.start(), setup, plays=(self.role,), commander=lambda: expert
        )
        self.turns: list[model_agents.Turn] = []
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
        is_follower = self.role is actions.Role.FOLLOWER
        side = session.follower_interface if is_follower else session.commander_interface
        read = side.reading.changes if self.turns else side.reading.whole
        self.turns.append(model_agents.Turn(model_agents.as_data(read), calls=(made,)))
        session.call(self.role, name, arguments)
        new = session.loop.interactions[before:]
        acted = [each for each in new if each.verb in actions.PRIMITIVE_VERBS]
        done = bool(new) or session.end is not None
        done &= all(each.success is not False for each in acted)
        self.mistakes += not done
        if not (done or self.with_refusals):
            raise errors.BadInput("a call failed")
        return done

    def line(self, source: str) -> dict[str, Any]:
        """Return the line of a demonstration, which comes from this source."""
        prompt = model_agents.system_prompt(self.role, (), as_json=False)
        result, schemas = self.session.result(), self.session.tools(self.role)
        *messages, _ = model_agents.shown_messages(prompt, (*self.turns, model_agents.Turn("")))
        done = [[records.interaction_json(each) for each in result.interactions], result.end.value]
        return {
            "messages": [each.to_json() for each in messages],
            "tools": [{"type": "function", "function": each} for each in schemas],
            "tatc": {
                "source": source,
                "session": self.session.start.session_id,
                **asdict(self.plan),
                "calls": len(self.turns),
                "mistakes": self.mistakes,
                "end": result.end.value,
                "record": sha256(json.dumps(done).encode()).hexdigest(),
                "text_world": TEXT_WORLD,
                "version": version.__version__,
            },
        }


def demonstrate(
    with_refusals: bool, job: tuple[str, Callable[[], SessionPlan]]
) -> tuple[dict[str, Any] | None, str]:
    """Play the session of a job and return its line, or None and why it shows nothing good."""
    source, make_plan = job
    try:
        player = Player(make_plan(), with_refusals=with_refusals)
        (play_follower if player.role is actions.Role.FOLLOWER else _play_commander)(player)
        line, success = player.line(source), player.session.result().success
        why = replay(line) if success else "the task was not done"
    except errors.BadInput as fault:
        return None, fault.what
    return (None, f"played again, {why}" if success else why) if why else (line, "")


def replay(line: Mapping[str, Any]) -> str:
    """Play the calls of a demonstration again; return how it first differs, "" if it does not.

    Every text is compared, the tools, and what was done and said in the session.
    """
    facts = line["tatc"]
    plan = SessionPlan(**{each.name: facts[each.name] for each in fields(SessionPlan)})
    checked_pair(plan.role, plan.commander, plan.follower, plan.wording)
    player = Player(plan, with_refusals=True)
    for made in (each for message in line["messages"] for each in message.get("tool_calls") or ()):
        given = made["function"]["arguments"].encode()
        player.call(made["function"]["name"], files.parse_json(given, "arguments", files.TOOL_CALL))
    old, new = (
        {f"message {number}": message for number, message in enumerate(each["messages"])}
        | {"tools": each["tools"], **each["tatc"]}
        for each in (line, player.line(facts["source"]))
    )
    differing = (name for name in new | old if old.get(name) != new.get(name))
    return next((f"{name} is another one" for name in differing), "")


def play_follower(player: Player) -> None:
    """Play the expert's calls of a Follower, to the end of the session."""
    queue, expert = deque[plan_builder.PlannedStep](), player.expert
    while player.goes_on:
        if expert.has_ended:
            player.call("stop", {})
        elif not queue:
            player.call("ask", {})
            queue.extend(expert.stretch)
        elif (report := do_next(player, queue)) and player.goes_on:
            player.call("say", {"words": say_failure_in_words(report)})
            queue = deque(expert.stretch)


def do_next(player: Player, queue: deque[plan_builder.PlannedStep]) -> actions.FailureReport | None:
    """Call for the next steps, as many as one call can do; return what could not be done."""
    session, planned = player.session, queue.popleft()
    step, perception = planned.step, session.loop.perception
    if planned.action_key is None:
        name, direction = _MOTION_CALLS[step.verb]
        arguments: dict[str, Any] = {"direction": direction}
        if name == "move":
            arguments["times"] = 1
            while queue and queue[0].step == step and arguments["times"] < tools.MAX_STEPS_PER_MOVE:
                queue.popleft()
                arguments["times"] += 1
        done = player.call(name, arguments)
    else:
        number = perception and perception.find_number(planned.action_key[1])
        shown = session.follower_interface.seen[: follower_interface.MAX_OBJECTS]
        handle = next((each.handle for each in shown if each.number == number), None)
        if handle is None and not player.with_refusals:
            raise errors.BadInput("an object was not in view")
        if handle is None:
            return actions.FailureReport(step, refusals.RefusalCode.NOT_VISIBLE)
        done = player.call("do", {"action": _ACTION_OF_VERB[step.verb], "object": handle})
    result = session.loop.last_result
    if done or result is None:
        return None
    return actions.FailureReport(step, (result.refusal_code or refusals.RefusalCode.UNKNOWN).value)


def _play_commander(player: Player) -> None:
    session, expert, heard = player.session, player.expert, 0
    speech = model_play_settings.ModelPlay().speech_to(player.plan.follower)
    expert.begin(session.loop.oracle, session.start.task)
    while player.goes_on:
        if expert.has_ended:
            player.call("stop", {})
            continue
        new = [e for e in session.loop.interactions[heard:] if e.role is actions.Role.FOLLOWER]
        heard = len(session.loop.interactions)
        said = (
            actions.Utterance(e.role, e.text, e.time) for e in new if e.verb is actions.Verb.TEXT
        )
        expert.act(CommanderView(tuple(said), None))
        player.call("check", {})
        progress = session.start.task.check(session.loop.oracle.snapshot())
        words = expert.act(CommanderView((), progress)).text
        if speech is model_play_settings.SpeechKind.WORDS:
            player.call("say", {"words": words})
        elif not expert.has_ended:
            _tell_stretch(player, [each for each in expert.stretch if each.action_key])


def _tell_stretch(player: Player, steps: Sequence[plan_builder.PlannedStep]) -> None:
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
            raise errors.BadInput("a search does not find the object that is meant")
        told = {"action": _ACTION_OF_VERB[planned.step.verb], "object": handle}
        if not (player.goes_on and player.call("tell", told)):
            return


Jobs = dict[str, Callable[[], SessionPlan]]
"""What gives the session to demonstrate, by the `source` of its line."""


def jobs_of_split(name: str, count: int, pairs: Sequence[Pair]) -> Jobs:
    """Return the jobs of the first sessions of a split."""
    starts.load_split(name)  # a name that is wrong shows before any work
    return {
        f"{name} {at} {' '.join(pair)}": partial(SessionPlan.in_split, name, at, pair)
        for at in range(count)
        for pair in pairs
    }


def jobs_of_records(paths: Sequence[Path], roles: Sequence[str], wording: str | None) -> Jobs:
    """Return the jobs of saved sessions, whose agents play again; in `wording`, if any."""
    count = Counter(path.name for path in paths)
    names = [path.name if count[path.name] == 1 else str(path) for path in paths]
    return {
        f"{name} {role} {wording}": partial(_plan_of_record, path, role, wording)
        for name, path in zip(names, paths, strict=True)
        for role in roles
    }


def _plan_of_record(path: Path, role: str, wording: str | None) -> SessionPlan:
    session = timeline.read_finished_session(path)
    setup, start = session.setup, session.start
    if session.played_by_people:
        raise errors.BadInput("people played, not tatc's agents")
    if start.room is None or setup.sim != worlds.EMBEDDED_WORLD or setup.noise:
        raise errors.BadInput("it was not played in a room of tatc's own world, without noise")
    if session.end is not records.SessionEnd.SUCCESS:
        raise errors.BadInput("the task was not done")
    spoken = wording if role == "commander" else wording or setup.wording
    plan = SessionPlan.of(start, checked_pair(role, setup.commander, setup.follower, spoken))
    if plan.start().scene.initial != start.scene.initial:
        raise errors.BadInput("its start is another one than its room and seed have now")
    return plan


class ChatFile:
    """A file of demonstrations and its card: how many `lines`, and the `counts` of the card."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is made or read yet."""
        self.path, self.card_path = path, path.with_suffix(".md")
        self.lines, self.counts = 0, Counter[str]()

    def begin(self, jobs: Jobs, *, force: bool) -> Jobs:
        """Start the file, or continue one that the same command began; return what is to do."""
        goes_on = not force and self.path.is_file() and is_chat_file(self.path)
        files.check_writable(self.card_path, force=force or goes_on)
        if not goes_on:
            files.check_writable(self.path, force=force)
            files.write_atomically(b"", self.path, force=force)
        rest, size = dict(jobs), 0
        for text in files.read_lines(self.path, files.DEMONSTRATION):
            try:
                facts = files.parse_json(text, str(self.path), files.DEMONSTRATION)["tatc"]
                del rest[facts["source"] if facts["text_world"] == TEXT_WORLD else ""]
                self._count(facts)
            except (LookupError, TypeError, AttributeError) as fault:
                why = "holds demonstrations that this command would not make"
                fix = "name another file with --out, or give --force"
                raise errors.OutputError(why, where=str(self.path), fix=fix) from fault
            size += len(text) + 1
        with self.path.open("rb+") as file:
            file.truncate(size)  # a last line that is torn goes
        return rest

    def add(self, jobs: Jobs, workers: int, *, with_refusals: bool) -> Iterator[None]:
        """Do jobs in order, add each line or count why there is none, and yield after each."""
        do, rest = partial(demonstrate, with_refusals), list(jobs.items())
        outcomes = process_pool.map_in_processes(do, rest, workers, lambda job, why: (None, why))
        for line, why in outcomes:
            if line is None:
                self.counts[f"left out: {why}"] += 1
            else:
                files.append_text(json.dumps(line) + "\n", self.path, fix=files.FIX_MAKE_ROOM)
                self._count(line["tatc"])
            yield

    def _count(self, facts: Mapping[str, Any]) -> None:
        self.lines += 1
        self.counts[f"demonstrations of the {facts['role'].capitalize()}"] += 1
        self.counts[f"demonstrations of {facts['task']}"] += 1
        self.counts["calls"] += facts["calls"]
        self.counts["calls that failed"] += facts["mistakes"]

    def write_card(self, command: str) -> None:
        """Write the card of the file as it is now."""
        text = resources.files("tatc.apps.export").joinpath("chat_card.md").read_text("utf-8")
        filled = Template(text).substitute(
            file=self.path.name,
            lines=f"{self.lines:,}",
            version=version.__version__,
            command=command,
            counts="\n".join(f"| {name} | {n:,} |" for name, n in sorted(self.counts.items())),
            text_world=TEXT_WORLD,
        )
        files.write_atomically(filled.encode(), self.card_path, force=True)


def is_chat_file(path: Path) -> bool:
    """Return whether a file is one of demonstrations, by its beginning; one may be empty."""
    head = files.read_head(path, files.LINES_FILE, 16) if path.suffix == ".jsonl" else b"?"
    return b'{"messages": ['.startswith(head[:14])


def check_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield for each line what it is called and how it differs when it is played again, or ""."""
    for number, text in enumerate(files.read_lines(path, files.DEMONSTRATION), 1):
        name = f"line {number}"
        try:
            line = files.parse_json(text, "it", files.DEMONSTRATION, files.FINITE_NUMBERS)
            name, why = f"{name}, {line['tatc']['session']}", replay(line)
        except (errors.BadInput, LookupError, TypeError, ValueError, AttributeError) as fault:
            why = f"cannot be played: {fault}"
        yield name, why
