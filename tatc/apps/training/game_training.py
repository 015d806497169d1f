"""A training on recorded games, for a Follower that does what people did.

It is one in rounds (`pointing_training`), but all its lessons are there from the first one on, and
nothing is played in between.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from torch import Tensor

from tatc.apps.training import pointing_training, samples, training_folder
from tatc.base import files, plain_text
from tatc.evaluation.instances.source_games import SPEECH_VERBS, RecordedReplay
from tatc.evaluation.runs.session_selection import select_games
from tatc.follower.learned.pointing import checkpoint, decision, network_inputs, people_follower
from tatc.follower.learned.pointing.instance_memory import Instance
from tatc.follower.learned.pointing.network import FIRST_INSTANCE, NOT_SEEN, NOTHING
from tatc.follower.learned.pointing.pointing_follower import VIEW_SIDE_PIXELS
from tatc.home import actions, percepts
from tatc.language import Wording
from tatc.session.records import Interaction, read_game
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.perception import Perception
from tatc.tdl import edh, load_library

MIN_WORD_COUNT = 4  # how many lessons must have a word of people's; rarer words are mostly typos
_TYPE_IDS = {name: i for i, name in enumerate(samples.OBJECT_TYPES, decision.FIRST_TYPE)}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions(pointing_training.PointingOptions):
    """What to train; the games decide how many lessons there are.

    Games on the floor plans `without_plans` are left out, and those on `held_out_plans` are for
    the validation.
    """

    lessons: int = 0
    held_out: int = 0
    games: tuple[str, ...] = ()
    without_plans: tuple[str, ...] = ()
    held_out_plans: tuple[str, ...] = ()


class GameTrainer(pointing_training.Trainer):
    """A training on games in its folder."""

    options: GameOptions  # pyright: ignore[reportIncompatibleVariableOverride]
    least_done = 5  # what is rarer is an accident

    def new_model(self) -> checkpoint.PointingModel:
        """Return the model that knows people's words, after the lessons were made."""
        told, known, kinds = self.options, self.known_model(), samples.OBJECT_TYPES
        held_out, without = told.held_out_plans, told.without_plans
        chosen = select_games(told.games, without=(*without, *held_out))
        for line in chosen.skipped_lines:
            self.watch.on_skipped(line)
        apart = select_games(told.games, held_out, without).paths if held_out else ()
        self._games = chosen.paths, apart
        jobs = self.lesson_jobs(0)
        self.wait("games", self.submit(jobs))
        texts = (text for each in self.read(jobs) for text in each.texts.values())
        words, width = network_inputs.collect_words(texts, MIN_WORD_COUNT), self.options.width
        if (self.out / pointing_training.STATE_FILE).exists():  # of then, whatever games are new
            words = checkpoint.read_checkpoint(self.student_file(0)).words
        state = dict[str, Tensor]()
        if known is not None:
            words = (*known.words, *(word for word in words if word not in known.words))
            state, width = known.network.state_dict(), known.network.sizes.width
        training_folder.seed_torch(self.options.seed)
        model = checkpoint.new_model(words, kinds, width)
        own = model.network.state_dict()
        for name, value in state.items():
            own[name][: len(value)] = value  # the vectors of new words come last
        return replace(model, is_of_people=True)

    def command(self) -> str:
        """Return games and options as they are given to the command."""
        shorten, given = plain_text.PathShortener.of(self.options.games).shorten, self.options
        plans = {"without-plans": given.without_plans, "held-out-plans": given.held_out_plans}
        told = [*map(shorten, given.games)]
        told += [f"--{name} {','.join(value)}" for name, value in plans.items() if value]
        told += [f"--from {shorten(given.start)}"] if given.start else []
        told += [f"--{n} {getattr(given, n)}" for n in ("rounds", "batches", "width", "seed")]
        return " ".join(told)

    def lesson_jobs(self, number: int) -> "Sequence[_GameJob]":
        """Return what makes the lessons, all in the first round."""
        name, games = "held-out" if number < 0 else "000", self._games[number < 0]
        return [
            _GameJob(out=self.out / f"lessons-{name}-{i:04}-{game.name}.npz", name=str(game))
            for i, game in enumerate(games if number <= 0 else ())
        ]


class _GameJob(pointing_training.Job):
    """The lessons of the game that is its name."""

    def run(self) -> dict[str, int]:
        assert self.out is not None
        packed = samples.pack_utterances(lessons_of_game(Path(self.name)))
        files.write_atomically(packed, self.out, force=True)
        return {}


def lessons_of_game(path: Path) -> tuple[samples.LessonUtterance, ...]:
    """Return the lessons of a recorded game, up to the first object that our world lacks.

    The game is replayed as TEACh's replay does it: successful actions, on the recorded objects.
    The text of a lesson is the session until something was said.  Where something was done since,
    the last decision before the next words is to say something, that is, "done".
    """
    game = read_game(path)
    sim = EmbeddedSimulator()
    body = sim.reset(start_from_game(path, load_library([]), None, (), 1).scene).follower
    sight = Perception(sim, percepts.PerceptionLevel.MASKS, body, VIEW_SIDE_PIXELS)
    replay, course = RecordedReplay(sim), _Course(sight)
    for each in game.interactions:
        if each.verb in SPEECH_VERBS:
            course.hear(actions.Utterance(each.role, each.text, each.time))
        elif each.role is actions.Role.FOLLOWER and each.success and each.verb in decision.VERB_IDS:
            course.act(each)
        replay.apply(each)
        if replay.missing_objects:
            break
    else:
        course.end_utterance()
    return tuple(course.utterances)


class _Course:
    """The decisions of a game while it is replayed."""

    def __init__(self, sight: Perception) -> None:
        self._sight, self._memory = sight, decision.SessionMemory(_TYPE_IDS)
        self._history = people_follower.History(self._memory)
        self._text = ""  # nobody has spoken
        self._decisions: list[samples.LabelledDecision] = []
        self._walk: list[tuple[decision.Decision, int, list[Instance]]] = []
        self.utterances: list[samples.LessonUtterance] = []

    def hear(self, said: actions.Utterance) -> None:
        self.end_utterance()
        self._text = self._history.hear(said)

    def act(self, done: Interaction) -> None:
        verb, memory, seen = decision.VERB_IDS[done.verb], self._memory, self._look()
        if done.click is None:
            self._walk.append((seen, verb, memory.ordered))
            memory.take_past(done.verb)
            return
        kind = edh.type_of_object_id(done.object_id or "")
        met = memory.instances.clicked(kind, done.click)
        self._end_walk(met)
        if met in memory.ordered[: seen.in_view]:
            target = FIRST_INSTANCE + memory.ordered.index(met)
            cell, crop = memory.instances.cell_of(met, done.click), memory.instances.crop(met)
            self._decisions.append(samples.LabelledDecision(seen, verb, target, cell, crop))
        memory.take_past(done.verb, kind, done.click)

    def end_utterance(self) -> None:
        self._end_walk(None)
        if self._history.has_acted:
            self._decisions.append(samples.LabelledDecision(self._look(), 0, NOTHING))
        if self._decisions and self._text:
            texts = {Wording.GOALS: self._text}
            self.utterances.append(samples.LessonUtterance(texts, tuple(self._decisions)))
        self._decisions = []

    def _look(self) -> decision.Decision:
        view = self._sight.view()
        assert view is not None
        return self._memory.look(view)

    def _end_walk(self, met: Instance | None) -> None:
        """Let the decisions of a walk point at what was met at its end, None if that is unknown."""
        for seen, verb, ordered in self._walk:
            target = samples.NO_LABEL if met is None else NOT_SEEN
            if met in ordered:
                target = FIRST_INSTANCE + ordered.index(met)
            self._decisions.append(samples.LabelledDecision(seen, verb, target))
        self._walk = []
