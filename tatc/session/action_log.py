"""The log of a session's actions, in TEACh's form and on a simulated clock.

Every logged action takes 0.1 s, so the same session gives the same record.
"""

from collections.abc import Callable, Iterable

from tatc.home.actions import Action, ActionResult, Role, Utterance, Verb
from tatc.session.records import COMMANDER_POSE, Interaction, LoggedPose
from tatc.session.session_types import SessionEvent
from tatc.tdl import Progress

SECONDS_PER_ACTION = 0.1
"""The simulated duration of a logged action in seconds."""


class ActionLog:
    """The logged actions in order; a watcher is called with each as it happens."""

    def __init__(self, watch: Callable[[SessionEvent], None] | None = None) -> None:
        """Begin empty, at 0 s."""
        self._entries: list[Interaction] = []
        self._watch = watch

    def __len__(self) -> int:
        """Return how many actions are logged."""
        return len(self._entries)

    @property
    def entries(self) -> tuple[Interaction, ...]:
        """The actions logged so far."""
        return tuple(self._entries)

    def resume_after(self, entries: Iterable[Interaction]) -> None:
        """Continue after earlier entries, without calling the watcher for them."""
        self._entries.extend(entries)

    def log_primitive(self, action: Action, result: ActionResult, pose: LoggedPose | None) -> None:
        """Log a primitive of the Follower; a motion comes with the pose after it."""
        done = Interaction(
            Role.FOLLOWER,
            action.verb,
            self._now(),
            result.success,
            pose=pose,
            click=action.click,
            object_id=result.object_id if action.click else None,
        )
        self._append(SessionEvent(done, result))

    def log_camera_motion(self, verb: Verb, result: ActionResult) -> None:
        """Log a motion of the Commander's camera."""
        now, pose = self._now(), COMMANDER_POSE
        done = Interaction(Role.COMMANDER, verb, now, result.success, pose=pose)
        self._append(SessionEvent(done, result))

    def log_progress_check(self, progress: Progress) -> None:
        """Log a progress check by the Commander."""
        verb, now = Verb.OPEN_PROGRESS_CHECK, self._now()
        done = Interaction(Role.COMMANDER, verb, now, progress.success)
        self._append(SessionEvent(done, progress=progress))

    def log_search(self, action: Action, found: bool) -> None:
        """Log the Commander's search for an object, and whether it found one."""
        now, words = self._now(), action.text or ""
        done = Interaction(Role.COMMANDER, action.verb, now, found or None, text=words)
        self._append(SessionEvent(done))

    def log_utterance(self, role: Role, words: str) -> Utterance:
        """Log an utterance, and return it as the other agent will receive it."""
        now = self._now()
        self._append(SessionEvent(Interaction(role, Verb.TEXT, now, True, text=words)))
        return Utterance(role, words, now)

    def _append(self, event: SessionEvent) -> None:
        self._entries.append(event.interaction)
        if self._watch is not None:
            self._watch(event)

    def _now(self) -> float:
        return round((self._entries[-1].time if self._entries else 0.0) + SECONDS_PER_ACTION, 1)


# The utterances of a session, and how many of them each agent has received.


class Conversation:
    """The utterances so far; each agent receives those of the other once."""

    def __init__(self) -> None:
        """Begin without utterances."""
        self._utterances: list[Utterance] = []
        self._heard_counts = dict.fromkeys(Role, 0)

    def __len__(self) -> int:
        """Return how many utterances there were."""
        return len(self._utterances)

    def add(self, utterance: Utterance) -> None:
        """Add what an agent has just said."""
        self._utterances.append(utterance)

    def resume_after(self, utterances: Iterable[Utterance]) -> None:
        """Continue after earlier utterances, of which both agents receive only the last."""
        self._utterances.extend(utterances)
        self._heard_counts = dict.fromkeys(Role, max(len(self._utterances) - 1, 0))

    def take_unheard(self, role: Role) -> tuple[Utterance, ...]:
        """Return what the other agent has said since the last call for this one."""
        new = self._utterances[self._heard_counts[role] :]
        self._heard_counts[role] = len(self._utterances)
        return tuple(each for each in new if each.speaker is not role)
