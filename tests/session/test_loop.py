"""The loop: turns, what is logged, limits, and the named ends."""

from dataclasses import dataclass, field

import pytest

from tatc.base.errors import UsageError
from tatc.commander import CommanderView, Decision, RuleCommander
from tatc.commander.oracle import Oracle
from tatc.follower import RuleFollower
from tatc.home.actions import MOTION_VERBS, Action, Click, Role, Verb
from tatc.home.observation import Observation
from tatc.home.percepts import PerceptionLevel
from tatc.session.loop import SECONDS_PER_ACTION, Session, run_session
from tatc.session.records import COMMANDER_POSE, Interaction, SessionEnd
from tatc.session.session_types import TATC_LIMITS, SessionEvent, SessionLimits, SessionResult
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Task, shipped_library
from tests.sim.box_kitchen import kitchen

COFFEE = shipped_library().compile("Coffee")
CHECK = Action(Verb.OPEN_PROGRESS_CHECK)
STOP = Action(Verb.STOP)


def text(words: str) -> Action:
    return Action(Verb.TEXT, text=words)


@dataclass
class Scripted:
    """Plays either part from a list of actions; the last one for ever."""

    actions: list[Action]
    views: list[CommanderView | Observation] = field(default_factory=list)
    decisions: tuple[Decision, ...] = ()

    def begin(self, oracle: Oracle | None = None, task: Task | None = None) -> None:
        self.views.clear()

    def act(self, view) -> Action:
        self.views.append(view)
        return self.actions.pop(0) if len(self.actions) > 1 else self.actions[0]


def play(
    commander: list[Action],
    follower: list[Action],
    *,
    limits: SessionLimits = TATC_LIMITS,
) -> tuple[SessionResult, Scripted, Scripted]:
    cast = Scripted(commander), Scripted(follower)
    result = run_session(EmbeddedSimulator(), kitchen(), COFFEE, cast[0], cast[1], limits=limits)
    return result, *cast


def test_the_rule_pair_makes_coffee_in_words_alone():
    """Every utterance of the Commander has its decision."""
    events: list[SessionEvent] = []
    result = run_session(
        EmbeddedSimulator(), kitchen(), COFFEE, RuleCommander(), RuleFollower(), watch=events.append
    )
    assert result.end is SessionEnd.SUCCESS and result.progress.success
    assert not COFFEE.check(result.start).success
    assert tuple(event.interaction for event in events) == result.interactions
    said = [e.interaction.role for e in events if e.interaction.verb is Verb.TEXT]
    assert said == [Role.FOLLOWER, Role.COMMANDER] * (len(said) // 2)
    decided = [(each.step, each.utterance) for each in result.decisions]
    texts = [(i, done.text) for i, done in enumerate(result.interactions) if done.text]
    assert decided == texts[1::2]


@dataclass
class Interjecting(Scripted):
    """Says one thing after the other before the Follower's actions."""

    says: list[Action | None] = field(default_factory=list)

    def interject(self) -> Action | None:
        return self.says.pop(0) if self.says else None


def test_a_commander_that_interjects_speaks_between_the_followers_actions():
    turn = Action(Verb.TURN_LEFT)
    says = [text("wait"), text("no"), None, None, text("fine"), STOP, text("too late")]
    commander = Interjecting([text("turn")], says=says)
    follower = Scripted([text("what?"), turn, turn, turn])
    result = run_session(EmbeddedSimulator(), kitchen(), COFFEE, commander, follower)
    done = [each.text or each.verb.name for each in result.interactions]
    assert done == ["wait", "no", "what?", "turn", "TURN_LEFT", "fine"]
    assert result.end is SessionEnd.GAVE_UP


def test_the_clock_counts_logged_actions():
    result, *_ = play([CHECK, text("hi"), STOP], [text("hello"), STOP])
    times = [done.time for done in result.interactions]
    assert SECONDS_PER_ACTION == 0.1
    assert times == [round(SECONDS_PER_ACTION * n, 1) for n in range(1, len(times) + 1)]


def test_the_commander_hears_words_once_and_gets_its_progress_check():
    _, commander, _ = play([CHECK, text("go on"), CHECK, STOP], [text("one"), text("two"), STOP])
    heard = [[u.text for u in view.utterances] for view in commander.views]
    assert heard == [["one"], [], ["two"], []]
    checked = [view.progress is not None for view in commander.views]
    assert checked == [False, True, False, True]


def test_the_follower_sees_its_last_result_and_the_commanders_words_only():
    turn = Action(Verb.TURN_LEFT)
    _, _, follower = play([text("go on"), STOP], [text("one"), turn, turn, STOP])
    first, second, third, _ = follower.views
    assert first.last_result is None and not first.utterances
    assert [u.text for u in second.utterances] == ["go on"]
    assert third.last_result is not None and third.last_result.success


@pytest.mark.parametrize(
    ("limits", "follower", "end", "steps"),
    [
        (SessionLimits(steps=3), [Action(Verb.TURN_LEFT)], SessionEnd.STEP_LIMIT, 3),
        (
            SessionLimits(failures=2),
            [Action(Verb.PICKUP, Click(0.5, 0.01))],
            SessionEnd.FAILURE_LIMIT,
            2,
        ),
        (SessionLimits(utterances=4), [text("and now?")], SessionEnd.GAVE_UP, 0),
        (SessionLimits(), [STOP], SessionEnd.GAVE_UP, 0),
    ],
)
def test_a_session_without_success_has_a_named_end(limits, follower, end, steps):
    result, *_ = play([text("go on")], follower, limits=limits)
    assert result.end is end and not result.success
    primitives = [d for d in result.interactions if d.verb is not Verb.TEXT]
    assert len(primitives) == steps


def test_the_commander_can_stop_the_session():
    result, *_ = play([STOP], [text("hello")])
    assert result.end is SessionEnd.GAVE_UP
    assert [done.text for done in result.interactions] == ["hello"]


@pytest.mark.parametrize(
    "nonsense", [Action(Verb.PICKUP), Action(Verb.NAVIGATION), Action(Verb.SPEECH)]
)
def test_what_no_follower_may_do_fails_and_is_not_logged(nonsense: Action):
    limits = SessionLimits(failures=2)
    result, *_ = play([text("go on")], [nonsense], limits=limits)
    assert result.end is SessionEnd.FAILURE_LIMIT and result.failures == 2
    assert not result.interactions


def test_reaching_the_goal_at_the_limit_is_a_success():
    full = SessionLimits(steps=10_000)
    cast = RuleCommander(), RuleFollower()
    whole = run_session(EmbeddedSimulator(), kitchen(), COFFEE, *cast, limits=full)
    steps = sum(d.verb not in (Verb.TEXT, Verb.OPEN_PROGRESS_CHECK) for d in whole.interactions)
    cut = SessionLimits(steps=steps)
    again = run_session(EmbeddedSimulator(), kitchen(), COFFEE, *cast, limits=cut)
    assert again.end is SessionEnd.SUCCESS


@pytest.mark.parametrize(
    ("verb", "words", "found"),
    [
        (Verb.SEARCH_OBJECT, "Mug", True),
        (Verb.SEARCH_OBJECT, "", None),
        (Verb.SELECT_OID, "Mug|nowhere", None),
    ],
)
def test_a_search_by_hand_is_logged_with_what_it_was_for(verb, words, found):
    session = Session(EmbeddedSimulator(), COFFEE, RuleCommander(), RuleFollower())
    session.start(kitchen())
    turn = session.turn
    session.act_for(Role.COMMANDER, Action(verb, text=words))
    [done] = session.result().interactions
    assert (done.role, done.verb, done.text) == (Role.COMMANDER, verb, words)
    assert done.success is found
    assert session.turn is turn is Role.FOLLOWER


def _session(
    commander: list[Action], follower: list[Action], *, limits: SessionLimits = TATC_LIMITS
) -> Session:
    cast = Scripted(commander), Scripted(follower)
    return Session(EmbeddedSimulator(), COFFEE, *cast, limits=limits)


def _done(session: Session) -> list[tuple[Role, Verb]]:
    return [(done.role, done.verb) for done in session.result().interactions]


def test_each_step_is_one_action_of_the_agent_whose_turn_it_is():
    session = _session([CHECK, text("go on"), STOP], [text("hello"), Action(Verb.TURN_LEFT), STOP])
    session.start(kitchen())
    lengths: list[int] = []
    while session.end is None:
        session.step()
        lengths.append(len(session.result().interactions))
    assert lengths == [1, 2, 3, 4, 4]
    assert session.end is SessionEnd.GAVE_UP
    session.step()
    assert len(session.result().interactions) == 4


def test_what_is_done_by_hand_takes_an_agents_place():
    session = _session([text("go on"), STOP], [Action(Verb.TURN_LEFT)])
    session.start(kitchen())
    session.act_for(Role.FOLLOWER, Action(Verb.LOOK_UP))
    session.act_for(Role.FOLLOWER, text("I looked."))
    session.step()
    session.act_for(Role.COMMANDER, CHECK)
    session.act_for(Role.COMMANDER, text("Well done."))
    session.step()
    assert _done(session) == [
        (Role.FOLLOWER, Verb.LOOK_UP),
        (Role.FOLLOWER, Verb.TEXT),
        (Role.COMMANDER, Verb.TEXT),
        (Role.COMMANDER, Verb.OPEN_PROGRESS_CHECK),
        (Role.COMMANDER, Verb.TEXT),
        (Role.FOLLOWER, Verb.TURN_LEFT),
    ]


def test_a_session_that_has_ended_goes_on_by_hand():
    session = _session([STOP], [STOP])
    session.start(kitchen())
    session.step()
    assert session.end is SessionEnd.GAVE_UP
    session.act_for(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    assert session.end is None
    session.step()
    assert session.end is SessionEnd.GAVE_UP


def test_a_session_is_taken_up_where_others_left_it():
    first = _session([text("go on"), STOP], [text("hello"), Action(Verb.TURN_LEFT)])
    first.start(kitchen())
    for _ in range(3):
        first.step()
    log, start = first.result().interactions, first.result().start
    sim = EmbeddedSimulator()
    sim.reset(kitchen())
    cast = Scripted([text("go on")]), Scripted([text("and now?")])
    second = Session(sim, COFFEE, *cast, limits=SessionLimits(utterances=4))
    second.resume_after(start, log)
    while second.end is None:
        second.step()
    done = second.result().interactions
    assert done[: len(log)] == log
    assert [each.text for each in done[len(log) :]] == ["and now?", "go on"]
    assert done[len(log)].time == pytest.approx(log[-1].time + SECONDS_PER_ACTION)
    # The limits count what others did too.
    assert second.end is SessionEnd.GAVE_UP
    spent = Session(sim, COFFEE, *cast, limits=SessionLimits(steps=1))
    spent.resume_after(start, log)
    spent.step()
    assert spent.end is SessionEnd.STEP_LIMIT


def test_a_session_that_has_not_begun_has_no_result():
    with pytest.raises(UsageError, match="call start first"):
        _session([STOP], [STOP]).result()


def _logged(role: Role, verb: Verb, success: bool | None, time: float = 0.1) -> Interaction:
    if verb is Verb.TEXT:
        return Interaction(role, verb, time, success, text="hello")
    if verb is Verb.PICKUP:
        return Interaction(role, verb, time, success, click=Click(0.5, 0.5))
    return Interaction(role, verb, time, success, pose=COMMANDER_POSE)


@pytest.mark.parametrize(
    ("limits", "end"),
    [
        (SessionLimits(failures=2), SessionEnd.FAILURE_LIMIT),
        (SessionLimits(failures=3), None),
        (SessionLimits(steps=4), SessionEnd.STEP_LIMIT),
        (SessionLimits(steps=5), None),
        (SessionLimits(utterances=1), SessionEnd.GAVE_UP),
        (SessionLimits(utterances=2), None),
    ],
)
def test_the_followers_own_steps_and_failures_count_before_too(limits, end):
    me, you = Role.FOLLOWER, Role.COMMANDER
    log = [
        _logged(me, Verb.TURN_LEFT, True),
        _logged(me, Verb.PICKUP, False),
        _logged(me, Verb.TURN_LEFT, None),
        _logged(me, Verb.TURN_LEFT, False),
        _logged(you, Verb.FORWARD, False),
        _logged(you, Verb.TEXT, True),
    ]
    session = _session([text("go on")], [Action(Verb.TURN_LEFT)], limits=limits)
    session.resume_after(session._sim.reset(kitchen()), log)
    session.step()
    assert session.end is end


@pytest.mark.parametrize(
    ("last", "turn"),
    [
        (None, Role.FOLLOWER),
        ((Role.FOLLOWER, Verb.TEXT), Role.COMMANDER),
        ((Role.COMMANDER, Verb.TEXT), Role.FOLLOWER),
        ((Role.FOLLOWER, Verb.TURN_LEFT), Role.FOLLOWER),
        ((Role.COMMANDER, Verb.FORWARD), Role.FOLLOWER),
    ],
)
def test_who_was_spoken_to_last_has_the_turn(last, turn):
    session = _session([text("go on")], [text("hello")])
    log = [_logged(Role.FOLLOWER, Verb.TEXT, True)] * 2
    log += [_logged(*last, True)] if last else []
    session.resume_after(session._sim.reset(kitchen()), log if last else [])
    assert session.turn is turn


@pytest.mark.parametrize("verb", MOTION_VERBS)
def test_each_motion_of_the_commander_moves_its_camera(verb: Verb):
    result, *_ = play([Action(verb), text("go on"), STOP], [text("hello"), STOP])
    moved = result.interactions[1]
    assert (moved.role, moved.verb, moved.pose) == (Role.COMMANDER, verb, COMMANDER_POSE)
    assert moved.success
    assert [done.text for done in result.interactions if done.text] == ["hello", "go on"]


@pytest.mark.parametrize("verb", [Verb.PICKUP, Verb.TOGGLE_ON, Verb.NAVIGATION, Verb.SPEECH])
def test_the_commander_can_do_nothing_else(verb: Verb):
    result, commander, _ = play([Action(verb, Click(0.5, 0.5)), STOP], [text("hello"), STOP])
    assert [done.verb for done in result.interactions] == [Verb.TEXT]
    assert len(commander.views) == 2


def test_a_turn_of_the_commander_has_eight_actions():
    words = [text("hello"), text("again"), Action(Verb.TURN_LEFT), STOP]
    _, commander, follower = play([CHECK] * 16 + [STOP], words)
    assert (len(commander.views), len(follower.views)) == (16, 4)
    answered = [view.progress is not None for view in commander.views]
    assert answered == [False, *[True] * 7] * 2


def test_a_session_that_goes_on_is_given_up_so_far():
    session = _session([text("go on")], [text("hello")])
    session.start(kitchen())
    session.step()
    assert session.result().end is SessionEnd.GAVE_UP
    assert session.end is None and session.result().failures == 0


@pytest.mark.parametrize("level", [None, PerceptionLevel.TRUTH])
def test_the_follower_perceives_what_the_session_says(level: PerceptionLevel | None):
    cast = Scripted([text("go on"), STOP]), Scripted([text("hello"), STOP])
    run_session(EmbeddedSimulator(), kitchen(), COFFEE, *cast, perception=level)
    seen = cast[1].views[0]
    assert isinstance(seen, Observation)
    assert (seen.percepts is None) is (level is None)
    assert seen.percepts is None or seen.percepts() is not None
