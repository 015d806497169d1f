"""Training episodes: sessions in generated rooms, from which examples are taken.

The rule Commander speaks.  Each utterance is carried out either by the teacher, who does
exactly what was meant, which makes an example, or by the student, the network in training,
whose errors lead to states that the teacher alone would not reach.  The Commander goes on
from wherever the student ended, so the next example corrects its errors.  This is example
aggregation, as in CerealBar.
"""

from collections.abc import Mapping
from random import Random

from tatc.apps.training.examples import DemonstratedAction, Example, make_example
from tatc.base.errors import BadInput
from tatc.commander import RuleCommander, rule_commander, rule_planner
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.follower import Follower
from tatc.follower.learned.light import network_inputs
from tatc.home import actions, refusals, state
from tatc.home.observation import Observation
from tatc.language import InstructionRequest, Meaning, Wording, say
from tatc.session import loop, session_types
from tatc.session.start import SessionStart, start_from_room
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import generate_room
from tatc.tdl import TaskLibrary

EPISODE_LIMITS = session_types.SessionLimits(steps=600, failures=30, utterances=300)
"""The limits of one training episode."""
ROOM_KINDS = tuple(state.RoomKind)
MAX_ROOMS_TRIED = 40
"""The number of rooms that are tried for one episode."""


def draw_episode_start(seed: int, library: TaskLibrary) -> SessionStart:
    """Return a start drawn by a seed: a task, a room where it is possible, and its state."""
    rng = Random(f"lesson {seed}")  # trained checkpoints depend on this text
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
    start: SessionStart,
    classes: Mapping[str, int],
    *,
    student: Follower | None = None,
    student_share: float = 0.0,
) -> tuple[Example, ...]:
    """Run an episode and return its examples.

    `classes` are the class ids of object types.  The `student` carries out a share of the
    utterances.
    """
    rng = Random(f"{start.place} {start.task.name} {start.seed}")
    commander = _AllWordingsCommander(rng)
    follower = _TeacherStudentFollower(commander, classes, student, student_share, rng)
    sim = EmbeddedSimulator()
    loop.run_session(sim, start.scene, start.task, commander, follower, limits=EPISODE_LIMITS)
    return tuple(follower.examples)


class _AllWordingsCommander(RuleCommander):
    """The rule Commander; it words each stretch in every wording and says one of them."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng
        self.texts: tuple[str, ...] = ()

    def choose_words(self, stretch: rule_planner.PlannedStretch) -> Meaning:
        """Return the stretch in a wording drawn at random."""
        meant = [rule_commander.word_stretch(wording, stretch) for wording in Wording]
        self.texts = tuple(map(say, meant))
        return self._rng.choice(meant)


class _TeacherStudentFollower:
    """A Follower that draws teacher or student anew for each utterance."""

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
        self._remaining_steps: list[actions.PrimitiveStep] = []
        self._demonstrated: list[DemonstratedAction] = []
        self._maps: list[network_inputs.ClassMap] = []

    def begin(self) -> None:
        self._remaining_steps.clear()
        if self._student is not None:
            self._student.begin()

    def act(self, observation: Observation) -> actions.Action:
        is_instructed = any(u.speaker is actions.Role.COMMANDER for u in observation.utterances)
        if is_instructed:
            if self._commander.has_ended:
                return actions.Action(actions.Verb.STOP)
            self._teacher_acts = self._student is None or self._rng.random() >= self._student_share
            if self._teacher_acts:
                self._remaining_steps = list(self._commander.stretch)
                self._demonstrated, self._maps = [], []
        if not self._teacher_acts and self._student is not None:
            return self._student.act(observation)
        if (
            not is_instructed
            and self._demonstrated
            and observation.last_result
            and not observation.last_result.success
        ):
            code = observation.last_result.refusal_code or refusals.RefusalCode.UNKNOWN
            return self._report_failure(code.value)
        return self._act_as_teacher(observation)

    def _act_as_teacher(self, observation: Observation) -> actions.Action:
        """Return the next step of the stretch, or a question when it is done."""
        if not self._remaining_steps and not self._demonstrated:
            return actions.Action(actions.Verb.TEXT, text=say(InstructionRequest()))
        segments, side = observation.segments, network_inputs.SEGMENTATION_SIDE_PIXELS
        view = None if segments is None else segments(side)
        self._maps.append(network_inputs.class_map(view, self._classes))
        if self._remaining_steps:
            step = self._remaining_steps.pop(0)
            self._demonstrated.append(DemonstratedAction(step.verb, step.object_type, step.click))
            return step.action
        self._demonstrated.append(DemonstratedAction(actions.Verb.TEXT))
        self._finish_example()
        return actions.Action(actions.Verb.TEXT, text=say(InstructionRequest()))

    def _report_failure(self, reason: str) -> actions.Action:
        """End the example before the failed action, and report the failure."""
        failed = self._demonstrated.pop()
        self._maps.pop()
        self._finish_example()
        self._remaining_steps.clear()
        step = actions.PrimitiveStep(failed.verb, failed.object_type, failed.click)
        return actions.Action(actions.Verb.TEXT, text=say(actions.FailureReport(step, reason)))

    def _finish_example(self) -> None:
        if 0 < len(self._demonstrated) <= network_inputs.MAX_ACTIONS_PER_UTTERANCE:
            texts = self._commander.texts
            example = make_example(texts, self._demonstrated, self._maps, self._classes)
            self.examples.append(example)
        self._demonstrated, self._maps = [], []
