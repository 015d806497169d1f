"""What a Follower believed in a finished session, found by letting it act again.

No record holds beliefs.  A Follower that hears, sees and is answered as in the record does the
same as then, so what it believes now is what it believed.  The Commander is not needed for this:
its words are in the record, whoever said them.
"""

from collections.abc import Sequence
from dataclasses import replace

from tatc.base.errors import TatcError
from tatc.follower import Follower
from tatc.follower.listener.belief import BelievingFollower
from tatc.home.actions import Action, ActionResult, Role, Utterance, Verb
from tatc.home.agent_traits import traits_of
from tatc.home.observation import Observation
from tatc.home.percepts import VIEW_SIDE_PIXELS
from tatc.session.agents.resolve import find_follower
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import Interaction
from tatc.session.timeline.moment import Moment
from tatc.session.timeline.timeline import Timeline
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.perception import Perception, observed_result


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
    moments = _BeliefReplay(timeline, follower).moments()
    return replace(timeline, moments=tuple(moments))


def _make_follower(setup: SessionSetup) -> Follower | None:
    """Return the Follower of a setup if it may run here and has a belief, else None."""
    allowed = setup.agents_from is None or setup.agents_from.allows(setup.follower)
    if setup.perception is None or not allowed:
        return None
    try:
        make = find_follower(setup)
    except TatcError:
        return None
    return make() if traits_of(make).believes else None


class _BeliefReplay:
    """Lets a Follower act again in the states of a timeline."""

    def __init__(self, timeline: Timeline, follower: Follower) -> None:
        assert timeline.setup.perception is not None
        self._moments: Sequence[Moment] = timeline.moments
        self._follower = follower
        self._simulator = EmbeddedSimulator()
        start = self._simulator.reset(timeline.start.scene)
        side = traits_of(follower).view_side_pixels or VIEW_SIDE_PIXELS
        level = timeline.setup.perception
        self._perception = Perception(self._simulator, level, start.follower, side)
        self._heard: list[Utterance] = []
        self._result: ActionResult | None = None
        follower.begin()

    def moments(self) -> list[Moment]:
        """Return the moments with the beliefs that could be found."""
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
            if following is not None and not _is_same(action, following):
                break
            assert isinstance(self._follower, BelievingFollower)
            found[i] = replace(moment, belief=self._follower.current_belief())
        return found

    def _take(self, moment: Moment) -> None:
        """Take in what was done or said just before a moment."""
        done = moment.interaction
        if done is None:
            return
        if done.verb is Verb.TEXT and done.role is Role.COMMANDER:
            self._heard.append(Utterance(done.role, done.text, done.time))
        elif done.role is Role.FOLLOWER and moment.result is not None:
            self._result = moment.result

    def _act_from(self, moment: Moment) -> Action:
        self._simulator.restore(moment.snapshot)
        result = self._result and observed_result(self._result, self._perception)
        heard, self._heard = tuple(self._heard), []
        return self._follower.act(Observation(heard, result, percepts=self._perception.view))


def _is_followers_turn(done: Interaction | None, following: Interaction | None) -> bool:
    """Return whether the Follower acts between two interactions.

    At the end it does unless it waits for an answer; then it may have stopped.
    """
    if following is not None:
        return following.role is Role.FOLLOWER
    return done is None or done.role is not Role.FOLLOWER or done.verb is not Verb.TEXT


def _is_same(action: Action, done: Interaction) -> bool:
    return (action.verb, action.click, action.text or "") == (done.verb, done.click, done.text)
