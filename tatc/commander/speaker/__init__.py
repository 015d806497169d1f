"""A simulated user: a Commander that says what it wants in free words, answers, and corrects.

    from tatc.commander.speaker import SpeakerCommander

Its wordings are written for tatc; none is recorded.  The same start, task and seed give the same
words.
"""

from tatc.commander.speaker.speaker import SpeakerCommander, SpeakingStyle

__all__ = ["SpeakerCommander", "SpeakingStyle"]
