"""How a session is run, as a user names it: one value for commands, runs and records."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session.agents.agent_names import is_model_agent
from tatc.session.agents.agents import AgentsFromFile
from tatc.session.directives import AnnotatedLanguage
from tatc.session.text_world.models.model_play import ModelPlay
from tatc.session.worlds import EMBEDDED_WORLD, MAP_FROM_BOXES
from tatc.sim.protocol import DEFAULT_BUILD, ThorBuild

if TYPE_CHECKING:
    from tatc.commander.speaker import SpeakingStyle
    from tatc.language.llm import ModelSettings
    from tatc.session.text_world.models.answer_sources import RecordedAnswers


@dataclass(frozen=True, slots=True)
class SessionSetup:
    """How a session is run, as a user names it.

    `floor_map` is `MAP_FROM_BOXES` or the path of a map file.  `commander` and `follower` are
    names or `module:Class`.  Each of the Follower's primitives is made to fail with
    probability `noise`.  `wording` is the grain at which the Commander speaks.  `sim` is
    `EMBEDDED_WORLD` or `THOR_WORLD`; the latter runs the build `thor`.  `agents_from` is None if
    the user named the agents, and else says which file did.  `perception` is the level at
    which the Follower perceives; `with_perception` fills it in for one that does.  With `language`,
    what an annotator of ALFRED wrote is read out in place of a Commander.  `questions` is
    how often the Follower may speak; None leaves it to the Follower.  `speaking` is how a simulated
    user speaks; None leaves it to the Commander.  `model` is the language
    model that plays the agents named `llm`, or else reads dialogue for the Follower; None for
    none.  `play` says how it plays, and `recorded_answers` are those that it gave in a record.
    `memory` is the file of goals under names of the user's that the Follower knows, None for none.
    """

    floor_map: str = MAP_FROM_BOXES
    commander: str = "rule"
    follower: str = "rule"
    noise: float = 0.0
    wording: str = Wording.ACTIONS
    sim: str = EMBEDDED_WORLD
    thor: ThorBuild = DEFAULT_BUILD
    agents_from: AgentsFromFile | None = None
    perception: PerceptionLevel | None = None
    language: AnnotatedLanguage | None = None
    questions: int | None = None
    speaking: "SpeakingStyle | None" = None
    model: "ModelSettings | None" = None
    play: ModelPlay = field(default_factory=ModelPlay)
    recorded_answers: "RecordedAnswers | None" = None
    memory: str | None = None

    @property
    def has_model_agent(self) -> bool:
        """Whether a language model plays an agent."""
        return is_model_agent(self.commander) or is_model_agent(self.follower)
