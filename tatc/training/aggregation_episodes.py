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
from tatc.commander.plan_builder import PlanBuilder, SkillPlan
from tatc.commander.stretch_wording import word_stretch
from tatc.errors import BadInput
from tatc.follower import Follower
from tatc.follower.et.light.action_history import MAX_ACTIONS_PER_UTTERANCE
from tatc.follower.et.light.class_map import SEGMENTATION_SIDE_PIXELS, ClassMap, class_map
from tatc.language import FailureReport, InstructionRequest, Meaning, PrimitiveStep, Wording, say
from tatc.rooms import generate_room
from tatc.scoring.published_results import TEACH_TASKS
from tatc.session import SessionLimits, run_session
from tatc.session.start import SessionStart, start_from_room
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.state import RoomKind
from tatc.tdl import ProblemKey, TaskLibrary
from tatc.training.examples import DemonstratedAction, Example, make_example

EPISODE_LIMITS = SessionLimits(steps=600, failures=30, utterances=300)
"""Bounds of one lesson."""
ROOM_KINDS = tuple(RoomKind)
MAX_ROOMS_TRIED = 40
"""Rooms that are tried for one lesson at most."""


@dataclass(frozen=True, slots=True)
class TrainingEpisode:
    """What came of one lesson."""

    examples: tuple[Example, ...]
    success: bool


def draw_episode_start(seed: int, library: TaskLibrary) -> SessionStart:
    """Draw a task, a room that can hold it, and a start, from one seed.

    Raises:
        BadInput: no room was found.

    """
    rng = Random(f"lesson {seed}")
    for number in range(MAX_ROOMS_TRIED):
        task = library.find(rng.choice(TEACH_TASKS))
        kind = rng.choice(ROOM_KINDS)
        try:
            room = generate_room(kind, 100 * seed + number)
            return start_from_room(room, library, task, (), seed)
        except BadInput:
            continue
    raise BadInput(f"no room was found for lesson {seed}", fix="take another seed")


def run_training_episode(
    opening: SessionStart,
    classes: Mapping[str, int],
    *,
    student: Follower | None = None,
    student_share: float = 0.0,
    wordings: Sequence[Wording] = tuple(Wording),
) -> TrainingEpisode:
    """Run one lesson and return its examples.

    Args:
        opening: the place and the task.
        classes: numbers of object types.
        student: who carries out a share of the utterances.
        student_share: how large that share is.
        wordings: the grains at which the student is spoken to, drawn each time.

    """
    rng = Random(f"{opening.place} {opening.task.name} {opening.seed}")
    commander = _AllWordingsCommander(rng, tuple(wordings))
    follower = _TeacherStudentFollower(commander, classes, student, student_share, rng)
    sim = EmbeddedSimulator()
    result = run_session(
        sim, opening.scene, opening.task, commander, follower, limits=EPISODE_LIMITS
    )
    return TrainingEpisode(tuple(follower.examples), result.success)


class _AllWordingsCommander(RuleCommander):
    """The rule Commander, who words each stretch at every grain and says one."""

    def __init__(self, rng: Random, wordings: tuple[Wording, ...]) -> None:
        super().__init__()
        self._rng, self._wordings = rng, wordings
        self.texts: tuple[str, ...] = ()

    def choose_words(
        self,
        steps: tuple[PrimitiveStep, ...],
        builder: PlanBuilder,
        plan: SkillPlan,
        key: ProblemKey,
    ) -> Meaning:
        """Say the stretch at a grain drawn at random."""
        meant = {w: word_stretch(w, steps, builder, plan, key) for w in Wording}
        self.texts = tuple(map(say, meant.values()))
        return meant[self._rng.choice(self._wordings)]


class _TeacherStudentFollower:
    """A Follower that lets the teacher or the student act, utterance by utterance."""

    def __init__(
        self,
        commander: _AllWordingsCommander,
        classes: Mapping[str, int],
        student: Follower | None,
        share: float,
        rng: Random,
    ) -> None:
        self._commander, self._classes = commander, classes
        self._student, self._student_share, self._rng = student, share, rng
        self.examples: list[Example] = []
        self._teacher_acts = True
        self._remaining_steps: list[PrimitiveStep] = []
        self._demonstrated: list[DemonstratedAction] = []
        self._maps: list[ClassMap] = []

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._remaining_steps.clear()
        if self._student is not None:
            self._student.begin()

    def act(self, observation: Observation) -> Action:
        """Let the one in charge act."""
        heard = any(u.speaker is Role.COMMANDER for u in observation.utterances)
        if heard:
            if self._commander.has_ended:
                return Action(Verb.STOP)
            self._teacher_acts = self._student is None or self._rng.random() >= self._student_share
            if self._teacher_acts:
                self._begin_example()
        if not self._teacher_acts and self._student is not None:
            return self._student.act(observation)
        if (
            not heard
            and self._demonstrated
            and observation.last_result
            and not observation.last_result.success
        ):
            return self._report_failure(
                observation.last_result.message or observation.last_result.hint or "it failed"
            )
        return self._act_as_teacher(observation)

    def _begin_example(self) -> None:
        self._remaining_steps = list(self._commander.stretch)
        self._demonstrated, self._maps = [], []

    def _act_as_teacher(self, observation: Observation) -> Action:
        """Do the next step of what was meant, or ask when all of it is done."""
        if not self._remaining_steps and not self._demonstrated:
            return Action(Verb.TEXT, text=say(InstructionRequest()))
        view = (
            None if observation.segments is None else observation.segments(SEGMENTATION_SIDE_PIXELS)
        )
        self._maps.append(class_map(view, self._classes))
        if self._remaining_steps:
            step = self._remaining_steps.pop(0)
            self._demonstrated.append(DemonstratedAction(step.verb, step.object_type, step.click))
            return step.action
        self._demonstrated.append(DemonstratedAction(Verb.TEXT))
        self._finish_example()
        return Action(Verb.TEXT, text=say(InstructionRequest()))

    def _report_failure(self, why: str) -> Action:
        """Keep what went right, and say what did not."""
        failed = self._demonstrated.pop()
        self._maps.pop()
        self._finish_example()
        self._remaining_steps.clear()
        step = PrimitiveStep(failed.verb, failed.object_type, failed.click)
        return Action(Verb.TEXT, text=say(FailureReport(step, " ".join(why.split()))))

    def _finish_example(self) -> None:
        if 0 < len(self._demonstrated) <= MAX_ACTIONS_PER_UTTERANCE:
            texts = self._commander.texts
            kept = make_example(texts, self._demonstrated, self._maps, self._classes)
            self.examples.append(kept)
        self._demonstrated, self._maps = [], []
