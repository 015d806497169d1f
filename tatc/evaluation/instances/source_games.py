"""The recorded games that EDH and TfD instances are cut from: their files, cuts and courses.

TEACh's own cutter was never released (spec section 4.4, inferred from the paper's section 4.1).
The rule here: every utterance of either agent opens an EDH instance, which ends with the next
utterance or with the session; it is kept where the Follower interacts with an object in it.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Role, Verb
from tatc.home.state import Snapshot
from tatc.session.records import Interaction, game, read_game_header
from tatc.sim.embedded.simulator import EmbeddedSimulator

SPEECH_VERBS = (Verb.TEXT, Verb.SPEECH)  # the verbs that say something
_WORLD_VERBS = frozenset((*MOTION_VERBS, *INTERACTION_VERBS, Verb.NAVIGATION))


def games_by_id(paths: Iterable[Path]) -> dict[str, Path]:
    """Return the game files by their ids; files that are no games are passed over."""
    found: dict[str, Path] = {}
    for path in paths:
        with suppress(BadInput):
            found.setdefault(read_game_header(path).game_id, path)
    return found


def find_game_of_instance(path: Path, game_id: str) -> Path:
    """Return an instance's game, in games/<split>/ beside edh_instances/<split>/ (spec 4.1)."""
    split = path.absolute().parent
    folders: Collection[Path] = (split.parent.parent / "games" / split.name, split)
    for folder in folders:
        for ending in ("game.json", "game.json.gz"):
            found = folder / f"{game_id}.{ending}"
            if exists(found):
                return found
    fix = "name the folder of the games with --games"
    raise BadInput(f"its game {game_id} is not found", where=str(path), fix=fix)


@dataclass(frozen=True, slots=True)
class EdhSegment:
    """An instance's interactions, from `start` to `stop`; `number` counts utterances, with gaps."""

    number: int
    start: int
    stop: int


def cut_into_segments(done: Sequence[Interaction]) -> tuple[EdhSegment, ...]:
    """Return the instances of a session, in order."""
    said = [i for i, each in enumerate(done) if each.verb in SPEECH_VERBS]
    found: list[EdhSegment] = []
    for number, (start, stop) in enumerate(pairwise([*said, len(done)])):
        acted = filter(is_world_action, done[start + 1 : stop])
        if any(each.verb in INTERACTION_VERBS for each in acted):
            found.append(EdhSegment(number, start + 1, stop))
    return tuple(found)


def is_world_action(done: Interaction) -> bool:
    """Return whether the Follower walked, acted or navigated (spec section 7.1) with success."""
    return done.role is Role.FOLLOWER and done.verb in _WORLD_VERBS and bool(done.success)


class RecordedReplay:
    """Replays a session, step by step, in a world that was reset, for its states.

    As in TEACh's replay, only actions that succeeded are done, with the recorded object (spec
    section 4.6); one that the embedded world would refuse is given its recorded effect.
    `missing_objects` counts the interactions whose object the embedded world does not have.
    """

    def __init__(self, sim: EmbeddedSimulator) -> None:
        """Start from the present state of the world."""
        self._sim = sim
        self._stand_ins = game.ObjectSubstitutes()
        self.missing_objects = 0

    def apply(self, done: Interaction) -> None:
        """Replay one interaction."""
        if done.role is not Role.FOLLOWER or not done.success:
            return
        if done.verb in MOTION_VERBS and done.pose is not None:
            self._sim.put_follower(game.agent_state_at(done.pose))
        elif done.verb in INTERACTION_VERBS and done.object_id is not None:
            wanted = self._stand_ins.object_id_in(done.object_id, self._sim.snapshot())
            self.missing_objects += wanted is None
            if wanted is not None:
                self._sim.apply_recorded_effect(Action(done.verb, done.click), wanted)


def states_during_replay(
    sim: EmbeddedSimulator, done: Sequence[Interaction], wanted: Collection[int]
) -> dict[int, Snapshot]:
    """Return the states before interactions, by index, up to one whose object is missing."""
    found: dict[int, Snapshot] = {}
    course = RecordedReplay(sim)
    for i in range(len(done) + 1):
        if course.missing_objects:
            break
        if i in wanted:
            found[i] = sim.capture()
        if i < len(done):
            course.apply(done[i])
    return found


def replay_history(
    sim: EmbeddedSimulator,
    done: Sequence[Interaction],
    before_action: Callable[[Interaction], None] = lambda done: None,
) -> bool:
    """Replay a history, calling `before_action` before each action; return whether all was done."""
    course = RecordedReplay(sim)
    for each in done:
        if each.role is Role.FOLLOWER and each.success:
            before_action(each)
        course.apply(each)
    return not course.missing_objects
