"""A session as a whole: its start and all its moments, replayed, with the Follower's beliefs."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from tatc.base import errors, json_fields, plain_text
from tatc.follower import Follower
from tatc.follower.listener.belief import BelievingFollower
from tatc.home import actions, agent_traits, observation, percepts, state
from tatc.home.camera.views import encode_image
from tatc.language import Wording
from tatc.session import watched_home, worlds
from tatc.session.agents import agents, settings
from tatc.session.agents.session_setup import SessionSetup, find_follower
from tatc.session.model_play_settings import ModelPlay, read_choice
from tatc.session.records import Interaction, Record, RecordedDecision, SessionEnd
from tatc.session.records.game import ObjectSubstitutes, agent_state_at
from tatc.session.records.record_io import read_session
from tatc.session.start import SessionStart, start_from_game, task_of_game
from tatc.session.text_world import model_agents, probes
from tatc.session.timeline.moment import Moment, ProgressChecker, progress_change
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.sim.perception import Perception, observed_result
from tatc.tdl import Task, TaskLibrary, shipped_library

FRAMES, FRAME_PIXELS = 8, 150
"""How many frames a strip has at most, and the pixels along each side of a frame."""


@dataclass(frozen=True, slots=True)
class FinishedSession:
    """A finished session: its start, its interactions and decisions, and its end.

    `setup` names the agents and the noise of a record; of those agents, only tatc's own run
    again unasked (`AgentsFromFile`).  For a game that people played, `end` is None and there
    are no decisions.
    """

    start: SessionStart
    setup: SessionSetup
    interactions: tuple[Interaction, ...]
    decisions: tuple[RecordedDecision, ...]
    end: SessionEnd | None

    @property
    def played_by_people(self) -> bool:
        """Whether people played, not agents."""
        return self.end is None


def read_finished_session(
    path: Path | str, library: TaskLibrary | None = None, *, floor_map: str = worlds.SHIPPED_MAP
) -> FinishedSession:
    """Read a record of tatc's, made with the map `floor_map`, or a recorded TEACh game.

    Its task is one of the `library`, or of the shipped ones.  The shipped map serves a game, and a
    record that names it.
    """
    path, library = Path(path), library or shipped_library()
    found = read_session(path)
    if isinstance(found, Record):
        task = task_of_game(found, str(path), library)
        return finished_session_of(found, task, floor_map=floor_map, where=str(path))
    start = start_from_game(path, library, None, (), 1)
    return FinishedSession(start, SessionSetup(floor_map), found.interactions, (), None)


def finished_session_of(
    record: Record, task: Task, *, floor_map: str = worlds.SHIPPED_MAP, where: str = "record"
) -> FinishedSession:
    """Return a record as a finished session of its compiled task; `where` is its file."""
    room = None if record.game_id else record.scene.place
    return FinishedSession(
        SessionStart(task, record.scene, record.seed, room=room, game_id=record.game_id),
        _setup_from_record(record, floor_map, where),
        record.interactions,
        record.decisions,
        record.end,
    )


def _setup_from_record(record: Record, floor_map: str, where: str) -> SessionSetup:
    options = dict(record.options)
    calls, where = record.model_calls, f"{where}: tatc.options"
    try:
        return SessionSetup(
            worlds.map_of_record(floor_map, record.floor_map),
            str(options.get("commander", "rule")),
            str(options.get("follower", "rule")),
            float(settings.SETTINGS["noise"].check(options.get("noise", 0.0))),
            str(options.get("wording", Wording.ACTIONS)),
            agents_from=agents.AgentsFromFile(where),
            perception=read_choice(options, "perception", percepts.PerceptionLevel),
            settings=settings.read_settings(options),
            play=ModelPlay.from_options(options),
            # The models may be asked where these do not fit.
            recorded_answers=model_agents.RecordedAnswers(calls, goes_on=True) if calls else None,
        )
    except json_fields.FieldError as fault:
        raise errors.GameFormatError(fault.why, where=f"{where}.{fault.field}") from fault


@dataclass(frozen=True, slots=True)
class Timeline:
    """The moments of a session, the start first; `end` is None for people's and live sessions."""

    start: SessionStart
    setup: SessionSetup
    moments: tuple[Moment, ...]
    end: SessionEnd | None = None

    def __repr__(self) -> str:
        """Return one line: the task, the place, how many moments there are, and the end."""
        count = plain_text.counted(len(self.moments), "moment")
        session = f"{self.task.name} in {self.start.scene.place}"
        return f"<Timeline {session}, {count}, {self.end or 'no end'}>"

    def _repr_html_(self) -> str:
        heading, renderer = escape(repr(self)[1:-1]), SnapshotRenderer(self.start.scene)
        told = (self.moments[i] for i in telling_moments(self.moments))
        frames = "".join(_frame_html(renderer, moment) for moment in told)  # about 40 kB
        return f'<p>{heading}</p><div style="display:flex;flex-wrap:wrap">{frames}</div>'

    @property
    def task(self) -> Task:
        """The task of the session."""
        return self.start.task

    @property
    def divergences(self) -> tuple[Moment, ...]:
        """The moments at which the world answered differently from the record."""
        return tuple(moment for moment in self.moments if moment.divergence)

    @staticmethod
    def of(
        session: Path | str | Record | FinishedSession,
        library: TaskLibrary | None = None,
        *,
        floor_map: str = worlds.SHIPPED_MAP,
    ) -> "Timeline":
        """Return the replay of a saved record or a recorded game, see `read_finished_session`."""
        if isinstance(session, Record):
            task = (library or shipped_library()).compile(session.task_name, session.task_params)
            session = finished_session_of(session, task, floor_map=floor_map)
        elif not isinstance(session, FinishedSession):
            session = read_finished_session(session, library, floor_map=floor_map)
        recorded_map = worlds.load_map_for(
            session.setup.floor_map, session.start.scene.place, session.start.game_id
        )
        moments = tuple(replay_moments(session, EmbeddedSimulator(recorded_map)))
        return Timeline(session.start, session.setup, moments, session.end)


def probe_scores(record: Record, task: Task, floor_map: str) -> dict[str, int]:
    """Return how a session's probes were answered, as `score_probes` does; {} for none."""
    if not any(call.probe for call in record.model_calls):
        return {}
    timeline = Timeline.of(finished_session_of(record, task, floor_map=floor_map))
    return probes.score_probes(record, [each.snapshot for each in timeline.moments])


# Replays a finished session in the embedded world.  If the world answers a primitive differently
# from the record, the moment says so and the recorded effect is applied, so that what follows still
# matches the record.  `tatc.session.session_record` in contrast stops at the first difference.

_POSE_TOLERANCE = 0.05  # metres and degrees by which equal poses may differ


def replay_moments(source: FinishedSession, simulator: EmbeddedSimulator) -> Iterator[Moment]:
    """Yield the moments of a finished session, replayed in a simulator."""
    replay = _InteractionReplay(source, simulator)
    checker = ProgressChecker(source.start.task)
    start = simulator.snapshot()
    yield Moment(0, None, start, checker.check(start))
    decision_by_step = {each.step: each for each in source.decisions}
    decision = None
    for i, done in enumerate(source.interactions):
        decision = decision_by_step.get(i, decision)
        result, divergence = replay.replay(done)
        now = simulator.snapshot()
        yield Moment(i + 1, done, now, checker.check(now), decision, result, divergence)


class _InteractionReplay:
    def __init__(self, source: FinishedSession, simulator: EmbeddedSimulator) -> None:
        self._simulator = simulator
        self._noisy_simulator = worlds.with_noise(simulator, source.start, source.setup.noise)
        self._noisy_simulator.reset(source.start.scene)
        self._substitutes = ObjectSubstitutes()

    def replay(self, done: Interaction) -> tuple[actions.ActionResult | None, str]:
        """Replay an interaction; return the answer, and how it differs from the record."""
        if done.role is actions.Role.COMMANDER:
            if done.verb in actions.MOTION_VERBS:
                return self._noisy_simulator.step(done.role, actions.Action(done.verb)), ""
            return None, ""
        if done.verb in actions.MOTION_VERBS:
            return self._replay_motion(done)
        if done.verb in actions.INTERACTION_VERBS:
            return self._replay_interaction(done)
        return None, ""

    def _replay_motion(self, done: Interaction) -> tuple[actions.ActionResult, str]:
        result = self._noisy_simulator.step(done.role, actions.Action(done.verb))
        divergence = _success_divergence(done, result)
        if done.pose is None:
            return result, divergence
        wanted, came = agent_state_at(done.pose), self._simulator.snapshot().follower
        if not _is_same_pose(wanted, came):
            self._simulator.put_follower(wanted)
            divergence = divergence or "the Follower ends at another pose"
        return result, divergence

    def _replay_interaction(self, done: Interaction) -> tuple[actions.ActionResult, str]:
        before = self._simulator.snapshot()
        wanted = None
        if done.success and done.object_id is not None:  # its id here
            wanted = self._substitutes.object_id_in(done.object_id, before)
        action = actions.Action(done.verb, done.click)
        result = self._noisy_simulator.step(done.role, action)
        divergence = _success_divergence(done, result)
        if not divergence and done.success and result.object_id != wanted:
            divergence = f"acts on {result.object_id}, not {done.object_id}"
        if divergence:
            self._simulator.restore(before)
            self._simulator.apply_recorded_effect(action, wanted)
        return result, divergence


def _success_divergence(done: Interaction, result: actions.ActionResult) -> str:
    if result.success is bool(done.success):
        return ""
    if result.success:
        return "succeeds here; the record says it failed"
    return f"fails here ({result.message}); the record says it succeeded"


def _is_same_pose(one: state.AgentState, other: state.AgentState) -> bool:
    (x, _, z), (u, _, v) = one.position, other.position
    turn = (one.yaw - other.yaw + 180.0) % 360.0 - 180.0
    apart = (x - u, z - v, turn, one.horizon - other.horizon)
    return all(abs(each) <= _POSE_TOLERANCE for each in apart)


# What a Follower believed in a finished session.  No record holds beliefs, but a Follower that
# hears, sees and is answered as in the record does the same as then, so what it believes now is
# what it believed.  The Commander's words are in the record, whoever said them.


def with_beliefs(timeline: Timeline) -> Timeline:
    """Return a timeline with what its Follower believed at each moment from which it acted.

    From the first moment on at which the Follower would now act otherwise, or crashes, there are
    no beliefs.  There are none at all for Followers without percepts or without a belief to show,
    for one that cannot be made as the record says, and for one that only a file names and that
    does not come with tatc.
    """
    known = any(moment.belief is not None for moment in timeline.moments)
    follower = None if known else _make_follower(timeline.setup)
    if not isinstance(follower, BelievingFollower):
        return timeline
    return replace(timeline, moments=tuple(_BeliefReplay(timeline, follower).moments()))


def _make_follower(setup: SessionSetup) -> Follower | None:
    """Return the Follower of a setup if it may run here and has a belief, else None."""
    allowed = setup.agents_from is None or setup.agents_from.allows(setup.follower)
    if setup.perception is None or not allowed:
        return None
    try:
        make = find_follower(setup)
    except errors.TatcError:
        return None
    return make() if agent_traits.traits_of(make).believes else None


class _BeliefReplay:
    def __init__(self, timeline: Timeline, follower: Follower) -> None:
        assert timeline.setup.perception is not None
        self._moments: Sequence[Moment] = timeline.moments
        self._follower = follower
        self._simulator = EmbeddedSimulator()
        start = self._simulator.reset(timeline.start.scene)
        side = agent_traits.traits_of(follower).view_side_pixels or percepts.VIEW_SIDE_PIXELS
        level = timeline.setup.perception
        self._perception = Perception(self._simulator, level, start.follower, side)
        self._heard: list[actions.Utterance] = []
        self._result: actions.ActionResult | None = None
        follower.begin()

    def moments(self) -> list[Moment]:
        found = list(self._moments)
        for i, moment in enumerate(self._moments):
            self._take(moment)
            following = None if i + 1 == len(found) else found[i + 1].interaction
            if not _is_followers_turn(moment.interaction, following):
                continue
            try:
                action = self._act_from(moment)
            except Exception:  # whatever a Follower may raise; the session is shown all the same
                break
            done = action.verb, action.click, action.text or ""
            if following and done != (following.verb, following.click, following.text):
                break
            assert isinstance(self._follower, BelievingFollower)
            found[i] = replace(moment, belief=self._follower.current_belief())
        return found

    def _take(self, moment: Moment) -> None:
        done = moment.interaction
        if done is None:
            return
        if done.verb is actions.Verb.TEXT and done.role is actions.Role.COMMANDER:
            self._heard.append(actions.Utterance(done.role, done.text, done.time))
        elif done.role is actions.Role.FOLLOWER and moment.result is not None:
            self._result = moment.result

    def _act_from(self, moment: Moment) -> actions.Action:
        self._simulator.restore(moment.snapshot)
        result = self._result and observed_result(self._result, self._perception)
        heard, self._heard = tuple(self._heard), []
        _, _, seen = watched_home.senses_in(self._simulator, self._perception)
        return self._follower.act(observation.Observation(heard, result, percepts=seen))


def _is_followers_turn(done: Interaction | None, following: Interaction | None) -> bool:
    """Return whether the Follower acts between two interactions, or last if it waits for none."""
    if following is not None:
        return following.role is actions.Role.FOLLOWER
    return done is None or (done.role, done.verb) != (actions.Role.FOLLOWER, actions.Verb.TEXT)


def telling_moments(moments: Sequence[Moment]) -> list[int]:
    """Return the start, the end, then what changed goal conditions, what failed, what clicked."""
    last, inner = len(moments) - 1, moments[1:-1]
    changes = [each.index for each in inner if progress_change(moments[each.index - 1], each)]
    failures = [each.index for each in inner if each.failed]
    clicks = [each.index for each in inner if each.interaction and each.interaction.click]
    return sorted(list(dict.fromkeys((0, last, *changes, *failures, *clicks)))[:FRAMES])


def _frame_html(renderer: SnapshotRenderer, moment: Moment) -> str:
    pixels = renderer.frame(moment.snapshot, actions.Role.FOLLOWER, FRAME_PIXELS)
    image = b64encode(encode_image(pixels, "WEBP", quality=70)).decode()
    words = escape(f"{moment.index}: {moment.in_words()}")
    shown = f'<img alt="" src="data:image/webp;base64,{image}"><br>{words}'
    return f'<figure style="margin:3px;width:{FRAME_PIXELS}px;font-size:11px">{shown}</figure>'
