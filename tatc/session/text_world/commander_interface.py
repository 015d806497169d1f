"""The Commander's side of the text world: what it is told as text, and its tools.

It is made from what any Commander may know: the task, the oracle, and what the Follower says.  Of
the Follower's own state it holds nothing: not what is in its view, nor its names for objects, nor
how its actions went unless it says so.
"""

from collections.abc import Iterable
from math import hypot

from tatc.commander import CommanderView, Oracle, knowledge, recovery
from tatc.commander.plan_builder import PlanBuilder, PlanFailure, PlannedStep
from tatc.commander.skills.placing_clicks import placing_preferences
from tatc.home.actions import Action, Cell, FailureReport, Role, Utterance, Verb, cell_of
from tatc.home.state import ObjectState, Pose, Snapshot
from tatc.home.type_facts import FLOOR_TYPE
from tatc.language import Stretch, hear, say
from tatc.session.text_world import seen_objects, tools
from tatc.session.text_world.follower_interface import cut_words
from tatc.session.text_world.reading import Reading
from tatc.session.text_world.wording import phrase, refusal, wording
from tatc.sim.object_search import find_object
from tatc.tdl import Progress, Subgoal, Task

MAX_UNMET_LINES = 30  # the most lines about what is missing in the answer to one progress check
MAX_OTHERS_FOUND = 12
"""The most other objects of its type that the answer to a search names, the nearest ones."""
_SECTION = "commander"


class CommanderInterface:
    """What one Commander knows in a session, its text, and the actions of its calls.

    Before each call `observe`; `reading` is what a model reads, and `call` takes its answer.
    """

    def __init__(self, oracle: Oracle, task: Task, *, without: tuple[str, ...] = ()) -> None:
        """Start a session of a task in a home, without the tools that are named."""
        self.tools = tuple(each for each in tools.commander_tools() if each.name not in without)
        self._oracle, self._task = oracle, task
        self._known: knowledge.Knowledge | None = None
        self._numbers: dict[str, int] = {}
        self._answer = phrase(_SECTION, "nothing_asked")
        self._heard: list[str] = []
        self._spoken: tuple[PlannedStep, ...] = ()

    @property
    def reading(self) -> Reading:
        """What a model reads before a call; the task is told once."""
        task = phrase(_SECTION, "task").format(task=self._task.definition.description)
        heard = phrase(_SECTION, "nothing_heard")
        if self._heard:
            heard = phrase(_SECTION, "heard").format(words=cut_words(" ".join(self._heard)))
        changes = f"{heard}\n{self._answer}"
        return Reading(f"{task}\n{changes}", changes, task, (*self._named(),))

    def observe(self, view: CommanderView) -> None:
        """Take in what the Follower said, and the answer to a progress check."""
        self.hear(view.utterances)
        if view.progress is not None:
            self._answer = self._progress_text(view.progress)

    def hear(self, utterances: tuple[Utterance, ...]) -> None:
        """Take in what the Follower said, and learn from its report of a failure."""
        for each in utterances:
            if each.speaker is not Role.FOLLOWER:
                continue
            self._heard.append(each.text)
            meaning = hear(each.text)
            if isinstance(meaning, FailureReport) and self._known is not None:
                self._known.refresh()
                recovery.learn_from_failure(meaning, self._spoken, self._known)

    def call(self, name: object, arguments: object) -> Action | tools.Refused | None:
        """Take a call; return its action, None if `text` alone answers it, or why it is refused."""
        checked = tools.check_call(self.tools, name, arguments)
        done = self._carry_out(checked) if isinstance(checked, tools.ToolCall) else checked
        if isinstance(done, tools.Refused):
            self._answer = done.reason
        elif done is not None and done.verb is Verb.TEXT:
            self._heard.clear()
            self._answer = phrase(_SECTION, "nothing_asked")
        return done

    def _carry_out(self, call: tools.ToolCall) -> Action | tools.Refused | None:
        match call.name:
            case "check":
                return Action(Verb.OPEN_PROGRESS_CHECK)
            case "search":
                return self._search(call.arguments["type"])
            case "map":
                self._answer = draw_room_map(self._oracle.snapshot(), self._oracle.reachable())
                return None
            case "tell":
                return self._tell(call.arguments["action"], call.arguments["object"])
            case "say":
                return Action(Verb.TEXT, text=call.arguments["words"])
            case _:
                return Action(Verb.STOP)

    def _search(self, words: str) -> Action | tools.Refused:
        """Find an object by its type, or one that was named before by its handle."""
        snapshot = self._oracle.snapshot()
        object_id = self._id_of(words)
        verb = Verb.SEARCH_OBJECT if object_id is None else Verb.SELECT_OID
        words = words if object_id is None else object_id
        found = find_object(snapshot, verb, words)
        if found is None:
            return tools.Refused(refusal("not_found", words=cut_words(words)))
        self._answer = self._found_text(snapshot, found)
        if object_id is None:
            x, _, z = snapshot.follower.position
            others = [obj for obj in snapshot.of_type(found.objectType) if obj is not found]
            others.sort(key=lambda o: (hypot(o.position[0] - x, o.position[2] - z), o.objectId))
            shown = [self._found_text(snapshot, obj) for obj in others[:MAX_OTHERS_FOUND]]
            self._answer = "\n".join((self._answer, *shown))
        return Action(verb, text=words)

    def _tell(self, action: str, handle: str) -> Action | tools.Refused:
        """Return the words that tell the Follower the way to an object and a click on it."""
        object_id = self._id_of(handle)
        if object_id is None:
            return tools.Refused(refusal("unknown_handle", handle=handle))
        builder, verb = PlanBuilder(self._refreshed()), tools.INTERACTION_VERBS_BY_ACTION[action]
        failure = _add_step(builder, verb, object_id)
        if failure is not None or not builder.steps:
            reason = "" if failure is None else failure.reason.value
            return tools.Refused(refusal("no_plan", action=action, handle=handle, reason=reason))
        self._spoken = tuple(builder.steps)
        return Action(Verb.TEXT, text=say(Stretch(tuple(each.step for each in builder.steps))))

    def _refreshed(self) -> knowledge.Knowledge:
        self._known = self._known or knowledge.Knowledge(self._oracle)
        self._known.refresh()
        return self._known

    def _progress_text(self, progress: Progress) -> str:
        total = progress.goal_conditions_total
        met = min(progress.goal_conditions_satisfied, total)
        lines = [phrase(_SECTION, "progress").format(met=met, total=total)]
        if progress.success:
            return "\n".join((*lines, phrase(_SECTION, "done")))
        unmet = [line for subgoal in progress.subgoals for line in self._subgoal_lines(subgoal)]
        return "\n".join((*lines, *unmet[:MAX_UNMET_LINES]))

    def _subgoal_lines(self, subgoal: Subgoal) -> list[str]:
        lines: list[str] = []
        if subgoal.description:
            mark = "[x]" if subgoal.success else "[ ]"
            lines.append(phrase(_SECTION, "subgoal").format(mark=mark, text=subgoal.description))
        if not subgoal.success:
            lines += [
                phrase(_SECTION, "unmet").format(
                    handle=self._handle(step.object_id, step.object_type), text=step.text
                )
                for step in subgoal.steps
                if not step.success
            ]
        return lines

    def _found_text(self, snapshot: Snapshot, found: ObjectState) -> str:
        x, _, z = snapshot.follower.position
        return phrase(_SECTION, "found").format(
            handle=self._handle(found.objectId, found.objectType),
            place=self._place_text(snapshot, found),
            metres=f"{hypot(found.position[0] - x, found.position[2] - z):.1f}",
        )

    def _place_text(self, snapshot: Snapshot, obj: ObjectState) -> str:
        if obj.isPickedUp:
            return phrase(_SECTION, "place_held")
        around = [snapshot.get(name) for name in obj.parentReceptacles or ()]
        place = next((each for each in around if each is not None), None)
        if place is None:
            return phrase(_SECTION, "place_nowhere")
        shut = place.affordances.openable and not place.isOpen
        handle = self._handle(place.objectId, place.objectType)
        words = phrase(_SECTION, "place_in").format(handle=handle)
        return words + (phrase(_SECTION, "place_shut") if shut else "")

    def _handle(self, object_id: str, object_type: str) -> str:
        """Return how an object is called; one that was not named before gets the next number."""
        number = self._numbers.setdefault(object_id, len(self._numbers) + 1)
        return seen_objects.handle_of(object_type, number)

    def _named(self) -> dict[str, str]:
        """Return the ids of the objects that were named and still exist, by their handles."""
        found = ((self._oracle.snapshot().get(k), number) for k, number in self._numbers.items())
        return {
            seen_objects.handle_of(obj.objectType, number): obj.objectId
            for obj, number in found
            if obj is not None
        }

    def find_handle(self, object_id: str) -> str | None:
        """Return how an object is called, None if it was not named yet."""
        return next((name for name, named in self._named().items() if named == object_id), None)

    def _id_of(self, handle: str) -> str | None:
        own = {name.casefold(): object_id for name, object_id in self._named().items()}
        return own.get(handle.casefold())


def _add_step(builder: PlanBuilder, verb: Verb, object_id: str) -> PlanFailure | None:
    held = builder.predicted_object(builder.held_id) if builder.held_id else None
    place = builder.predicted_object(object_id)
    if verb is not Verb.PLACE or held is None or place is None:
        return builder.add_interaction(verb, object_id)
    preferences = placing_preferences(builder, place, held)
    return builder.add_interaction(verb, object_id, preferences=preferences)


MAX_MAP_CELLS = 60  # the most cells along a side of the map; a room that is larger is cut
_LETTERS = "ABCDEGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"  # F is the Follower
_LEAST_WIDTH_METRES = 0.2


def draw_room_map(snapshot: Snapshot, floor: Iterable[Pose]) -> str:
    """Return the map of the reachable floor: x to the right, z upwards, a letter for 0.25 m."""
    here = cell_of(snapshot.follower.position[0], snapshot.follower.position[2])
    cells = {cell_of(pose.x, pose.z) for pose in floor} | {here}
    furniture = [obj for obj in snapshot.objects if _is_furniture(obj)]
    letters = dict(zip(sorted({obj.objectType for obj in furniture}), _LETTERS, strict=False))
    drawn = dict.fromkeys(cells, ".")
    for obj in furniture:
        for cell in _cells_under(obj):
            drawn.setdefault(cell, letters.get(obj.objectType, "#"))
    drawn[here] = "F"
    facing = wording()[_SECTION]["facings"][round(snapshot.follower.yaw / 90.0) % 4]
    legend = [phrase(_SECTION, "map_follower").format(facing=facing), phrase(_SECTION, "map_free")]
    words = phrase(_SECTION, "map_legend")
    legend += [words.format(letter=letter, types=name) for name, letter in letters.items()]
    return "\n".join((*_rows(drawn), ", ".join(legend)))


def _is_furniture(obj: ObjectState) -> bool:
    able, width = obj.affordances, max(obj.box.size[0], obj.box.size[2])
    is_fixed = not able.pickupable and obj.objectType != FLOOR_TYPE
    return is_fixed and able.receptacle and width > _LEAST_WIDTH_METRES


def _cells_under(obj: ObjectState) -> Iterable[Cell]:
    low, high = obj.box.bounds()
    (left, bottom), (right, top) = cell_of(low[0], low[2]), cell_of(high[0], high[2])
    return ((x, z) for x in range(left, right + 1) for z in range(bottom, top + 1))


def _rows(drawn: dict[Cell, str]) -> list[str]:
    left, bottom = (min(cell[axis] for cell in drawn) for axis in (0, 1))
    right = min(max(x for x, _ in drawn), left + MAX_MAP_CELLS - 1)
    return [
        "".join(drawn.get((x, z), " ") for x in range(left, right + 1)).rstrip()
        for z in range(min(max(z for _, z in drawn), bottom + MAX_MAP_CELLS - 1), bottom - 1, -1)
    ]
