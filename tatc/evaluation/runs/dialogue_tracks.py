"""What is said and heard in whole sessions: all of it, answers to questions alone, or one line."""

from dataclasses import replace

from tatc import language
from tatc.commander import Commander, CommanderView, Decision, Oracle
from tatc.evaluation.runs.eval_options import DialogueSource
from tatc.home.actions import Action, FailureReport, Role, Utterance, Verb
from tatc.home.agent_traits import AgentTraits, traits_of
from tatc.session.agents.session_setup import ResolvedAgents
from tatc.session.session_types import AgentNotes, notes_of
from tatc.tdl import Task


def with_track(agents: ResolvedAgents, dialogue: DialogueSource) -> ResolvedAgents:
    """Return the agents as they take part in sessions with this much dialogue."""
    if dialogue is DialogueSource.OWN:
        return agents
    make = agents.make_commander
    return replace(agents, make_commander=lambda: QuietCommander(make(), dialogue))


class QuietCommander:
    """A Commander that does not say all that it would.

    With `SILENT` it tells the Follower the task's one line, and ends the session when the Follower
    speaks again.  With `ASKS` it hears nothing but questions, and answers them.
    """

    def __init__(self, commander: Commander, dialogue: DialogueSource) -> None:
        """Wrap a Commander."""
        self._commander, self._dialogue = commander, dialogue

    @property
    def traits(self) -> AgentTraits:
        """The Commander's; it has notes, too."""
        return replace(traits_of(self._commander), notes=True)

    @property
    def notes(self) -> AgentNotes:
        """The Commander's, and how much is said."""
        notes = notes_of(self._commander)
        return replace(notes, options=(*notes.options, ("dialogue", self._dialogue.value)))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reason for each utterance; none if the Commander gives none for its own."""
        reasons = tuple(each for each in self._decisions if each is not None)
        return reasons if len(reasons) == len(self._decisions) else ()

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""
        self._line = task.check(oracle.snapshot()).description
        self._is_answering = True  # before anything was heard, the Commander may speak first
        self._decisions: list[Decision | None] = []
        self._commander.begin(oracle, task)

    def act(self, view: CommanderView) -> Action:
        """Return the Commander's action, or what is said in its place."""
        if self._dialogue is DialogueSource.SILENT:
            line, self._line = self._line, ""
            return self._say(line) if line else Action(Verb.STOP)
        asked = tuple(each for each in view.utterances if is_question(each))
        self._is_answering = self._is_answering or bool(asked)
        if not self._is_answering:
            return self._say("Okay.")  # to what is no question
        action = self._commander.act(CommanderView(asked, view.progress))
        self._is_answering = action.verb is not Verb.TEXT
        if action.verb is Verb.TEXT:
            last = next(reversed(self._commander.decisions), None)
            self._decisions.append(last if last and last.utterance == action.text else None)
        return action

    def _say(self, text: str) -> Action:
        self._decisions.append(Decision(text, None, "", "", "no more is said in this track", (), 0))
        return Action(Verb.TEXT, text=text)


def is_question(utterance: Utterance) -> bool:
    """Return whether the Follower asks for something: what to do, or in words with "?"."""
    meaning = language.hear(utterance.text)
    if utterance.speaker is not Role.FOLLOWER or isinstance(meaning, FailureReport):
        return False
    return isinstance(meaning, language.InstructionRequest) or "?" in utterance.text
