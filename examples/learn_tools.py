"""Learn by trial which tool of the text world does what the Commander's verbs ask for.

The Follower knows how to move, and which objects are meant, but not that "Toggle On" is the tool
`switch_on`.  For each verb it keeps how often each tool has worked, tries the best one or, now and
then, another, and so fulfils more and more goal conditions.  Starts are drawn from the split
`train`; the score is of `valid_unseen`: rooms in which it has never been.

    python examples/learn_tools.py --episodes 20 --tests 5
"""

import argparse
import re
from collections import defaultdict
from random import Random

import gymnasium

from tatc.apps.envs import TEXT_FOLLOWER_ENV_ID
from tatc.language import GiveUp, MotionPhrase, PhraseStretch, TaskDone, hear

TOOLS = ("pick_up", "place", "open", "close", "switch_on", "switch_off", "slice", "pour")
MOTIONS = {
    "Forward": ("move", "forward"),
    "Backward": ("move", "backward"),
    "Pan Left": ("move", "left"),
    "Pan Right": ("move", "right"),
    "Turn Left": ("turn", "left"),
    "Turn Right": ("turn", "right"),
    "Look Up": ("look", "up"),
    "Look Down": ("look", "down"),
}
MAX_QUESTIONS = 20  # in an episode
EXPLORATION = 0.2  # how often another tool than the best one is tried
IN_REACH = re.compile(r"^((\w+)_\d+) (?:ahead|\d+ (?:left|right))", re.M)


class ToolValues:
    """How often each tool worked for each verb; an untried tool counts as one that may work."""

    def __init__(self, seed):
        """Start with nothing tried; the seed draws what is tried."""
        self.rng = Random(seed)
        self.tried = defaultdict(int)
        self.worked = defaultdict(int)

    def choose(self, verb, *, explore):
        """Return the tool that has worked best, or another one if others are explored."""
        if explore and self.rng.random() < EXPLORATION:
            return self.rng.choice(TOOLS)
        return max(TOOLS, key=lambda tool: (self.value(verb, tool), self.rng.random()))

    def value(self, verb, tool):
        """Return the share of tries that worked, with one of each added (Laplace)."""
        return (self.worked[verb, tool] + 1) / (self.tried[verb, tool] + 2)

    def learn(self, verb, tool, text):
        """Take in how a tool went, from the text that the Follower reads after it."""
        self.tried[verb, tool] += 1
        self.worked[verb, tool] += f"Last: {tool}" in text and ": done" in text


class Player:
    """Plays one episode after another, and adds up what it earns."""

    def __init__(self, values, split, *, explore):
        """Play starts of a split; learn only where tools are explored."""
        self.env = gymnasium.make(TEXT_FOLLOWER_ENV_ID, split=split)
        self.values, self.explore = values, explore

    def play(self, seed):
        """Play the episode that a seed draws; return the share of goal conditions that it won."""
        self.text, _ = self.env.reset(seed=seed)
        self.earned, self.over = 0.0, False
        for _ in range(MAX_QUESTIONS):
            self.call("ask")
            meaning = hear(self.text.rpartition("Heard: ")[2])
            if self.over or isinstance(meaning, TaskDone | GiveUp):
                break
            if isinstance(meaning, PhraseStretch):
                self.follow(meaning.phrases)
        return self.earned

    def follow(self, phrases):
        """Do what the Commander describes, as far as what it names is in view."""
        for phrase in phrases:
            if isinstance(phrase, MotionPhrase):
                name, direction = MOTIONS[phrase.verb.value]
                for _ in range(phrase.times):
                    self.call(name, direction=direction)
            else:
                meant = [h for h, kind in IN_REACH.findall(self.text) if kind == phrase.object_type]
                if not meant:
                    return
                tool = self.values.choose(phrase.verb.value, explore=self.explore)
                self.call(tool, object=meant[0])
                if self.explore:
                    self.values.learn(phrase.verb.value, tool, self.text)

    def call(self, name, **arguments):
        """Call a tool, unless the episode is over."""
        if not self.over:
            step = self.env.step({"name": name, "arguments": arguments})
            self.text, reward, done, cut, _ = step
            self.earned += reward
            self.over = done or cut


def score(values, tests):
    """Return the share of goal conditions that are fulfilled in rooms never seen, per episode."""
    player = Player(values, "valid_unseen", explore=False)
    return sum(player.play(seed) for seed in range(tests)) / tests


def main():
    """Score an untrained Follower, train it, and score it again."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--episodes", type=int, default=20)
    options.add_argument("--tests", type=int, default=5)
    given = options.parse_args()
    values = ToolValues(seed=1)
    print(f"before: {score(ToolValues(seed=1), given.tests):.2f} of the goal conditions")
    player = Player(values, "train", explore=True)
    for seed in range(given.episodes):
        player.play(seed)
    for verb in sorted({verb for verb, _ in values.tried}):
        print(f"{verb} = {max(TOOLS, key=lambda tool: values.value(verb, tool))}")
    print(f"after: {score(values, given.tests):.2f} of the goal conditions")


if __name__ == "__main__":
    main()
