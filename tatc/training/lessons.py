"""Lessons: sessions in rooms made on the fly, from which examples are taken.

The rule Commander speaks; each utterance is carried out either by a teacher, who does
exactly what was meant, and that is an example, or by the student, whose errors bring
both into states that the teacher alone would not reach: example aggregation, as
CerealBar's.  The Commander goes on from wherever the student ended, so that the next
example corrects it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tatc.actions import Action, Observation, Role, Verb
from tatc.commander import RuleCommander
from tatc.commander.draft import Draft, Plan
from tatc.commander.wording import worded
from tatc.errors import BadInput
from tatc.follower import Follower
from tatc.follower.et.light.history import MOST_ACTIONS
from tatc.follower.et.light.sight import SENSOR, ClassMap, class_map
from tatc.language import Meaning, Question, Report, Step, Wording, say
from tatc.opening import Opening, open_in
from tatc.scoring.published import BENCHMARK
from tatc.session import Limits, run_session
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.sim.rooms import generate
from tatc.state import RoomKind
from tatc.tdl import Library, ProblemKey
from tatc.training.examples import Done, Example, example_of

LESSON = Limits(steps=600, failures=30, words=300)
"""Bounds of one lesson."""
KINDS = tuple(RoomKind)
MOST_ROOMS = 40
"""Rooms that are tried for one lesson at most."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of one lesson."""

    examples: tuple[Example, ...]
    success: bool


def opening_of(seed: int, library: Library) -> Opening:
    """Draw a task, a room that can hold it, and a start, from one seed.

    Raises:
        BadInput: no room was found.

    """
    rng = Random(f"lesson {seed}")
    for number in range(MOST_ROOMS):
        task = library.find(rng.choice(BENCHMARK))
        kind = rng.choice(KINDS)
        try:
            room = generate(kind, 100 * seed + number)
            return open_in(room, library, task, (), seed)
        except BadInput:
            continue
    raise BadInput(f"no room was found for lesson {seed}", fix="take another seed")


def teach(
    opening: Opening,
    classes: Mapping[str, int],
    *,
    student: Follower | None = None,
    share: float = 0.0,
    wordings: Sequence[Wording] = tuple(Wording),
) -> Lesson:
    """Run one lesson and return its examples.

    Args:
        opening: the place and the task.
        classes: numbers of object types.
        student: who carries out a share of the utterances.
        share: how large that share is.
        wordings: the grains at which the student is spoken to, drawn each time.

    """
    rng = Random(f"{opening.place} {opening.task.name} {opening.seed}")
    commander = _Telling(rng, tuple(wordings))
    pupil = _Classroom(commander, classes, student, share, rng)
    sim = EmbeddedSimulator()
    result = run_session(
        sim, opening.scene, opening.task, commander, pupil, limits=LESSON
    )
    return Lesson(tuple(pupil.examples), result.success)


class _Telling(RuleCommander):
    """The rule Commander, who words each stretch at every grain and says one."""

    def __init__(self, rng: Random, wordings: tuple[Wording, ...]) -> None:
        super().__init__()
        self._rng, self._wordings = rng, wordings
        self.texts: tuple[str, ...] = ()

    def word(
        self, steps: tuple[Step, ...], draft: Draft, plan: Plan, key: ProblemKey
    ) -> Meaning:
        """Say the stretch at a grain drawn at random."""
        meant = {w: worded(w, steps, draft, plan, key) for w in Wording}
        self.texts = tuple(map(say, meant.values()))
        return meant[self._rng.choice(self._wordings)]


class _Classroom:
    """A Follower that lets the teacher or the student act, utterance by utterance."""

    def __init__(
        self,
        commander: _Telling,
        classes: Mapping[str, int],
        student: Follower | None,
        share: float,
        rng: Random,
    ) -> None:
        self._commander, self._classes = commander, classes
        self._student, self._share, self._rng = student, share, rng
        self.examples: list[Example] = []
        self._taught = True
        self._steps: list[Step] = []
        self._done: list[Done] = []
        self._maps: list[ClassMap] = []

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._steps.clear()
        if self._student is not None:
            self._student.begin()

    def act(self, seen: Observation) -> Action:
        """Let the one in charge act."""
        heard = any(u.speaker is Role.COMMANDER for u in seen.utterances)
        if heard:
            if self._commander.ended:
                return Action(Verb.STOP)
            self._taught = self._student is None or self._rng.random() >= self._share
            if self._taught:
                self._begin_example()
        if not self._taught and self._student is not None:
            return self._student.act(seen)
        if not heard and self._done and seen.last and not seen.last.success:
            return self._report(seen.last.message or seen.last.hint or "it failed")
        return self._teach(seen)

    def _begin_example(self) -> None:
        self._steps = list(self._commander.stretch)
        self._done, self._maps = [], []

    def _teach(self, seen: Observation) -> Action:
        """Do the next step of what was meant, or ask when all of it is done."""
        if not self._steps and not self._done:
            return Action(Verb.TEXT, text=say(Question()))
        view = None if seen.segments is None else seen.segments(SENSOR)
        self._maps.append(class_map(view, self._classes))
        if self._steps:
            step = self._steps.pop(0)
            self._done.append(Done(step.verb, step.noun, step.click))
            return step.action
        self._done.append(Done(Verb.TEXT))
        self._keep()
        return Action(Verb.TEXT, text=say(Question()))

    def _report(self, why: str) -> Action:
        """Keep what went right, and say what did not."""
        failed = self._done.pop()
        self._maps.pop()
        self._keep()
        self._steps.clear()
        step = Step(failed.verb, failed.noun, failed.click)
        return Action(Verb.TEXT, text=say(Report(step, " ".join(why.split()))))

    def _keep(self) -> None:
        if 0 < len(self._done) <= MOST_ACTIONS:
            texts = self._commander.texts
            kept = example_of(texts, self._done, self._maps, self._classes)
            self.examples.append(kept)
        self._done, self._maps = [], []
