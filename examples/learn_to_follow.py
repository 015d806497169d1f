"""Learn what the Commander's words mean by watching sessions, then follow its instructions.

What the Commander says and what a Follower then does are like sentences in two languages,
so IBM's first translation model (Brown et al., 1993) can find which word stands for which
action.  The script takes a few seconds: python examples/learn_to_follow.py
"""

from collections import Counter, defaultdict
from itertools import product

import gymnasium

import tatc
from tatc.apps.envs import FOLLOWER_ENV_ID
from tatc.apps.envs.spaces import FAILED, FOLLOWER_ENV_VERBS
from tatc.home.actions import MOTION_VERBS, Role, Verb

TASKS = ("coffee", "water plant", "n slices of x in y")
SEEDS = range(1, 13)
EM_ROUNDS = 20  # of expectation maximisation
MIN_COUNT = 2.0  # how often a word must stand for an action to count as its name
MAX_QUESTIONS = 3  # in a row, before the Follower gives up


def demonstrations():
    """Yield an utterance's words and the verbs that followed it, in sessions of rule agents."""
    for task, seed in product(TASKS, SEEDS):
        words, verbs = set(), []
        for interaction in tatc.run(task, seed=seed).interactions:
            verb = interaction.verb
            if verb is Verb.TEXT and interaction.role is Role.COMMANDER:
                yield words, verbs
                words, verbs = words_of(interaction.text), []
            elif interaction.role is Role.FOLLOWER and (interaction.click or verb in MOTION_VERBS):
                verbs.append(verb)
        yield words, verbs


def words_of(text):
    """Return the words of an utterance, without numbers."""
    return {word for word in text.split() if not word.replace(".", "").isdigit()}


def learn(pairs):
    """Return the verb of each word that names one."""
    pairs = [(words, verbs) for words, verbs in pairs if words and verbs]
    probability = defaultdict(lambda: 1.0)  # of a verb, given a word
    for _ in range(EM_ROUNDS):
        counts, totals = Counter(), Counter()
        for words, verbs in pairs:
            for verb in verbs:
                total = sum(probability[verb, word] for word in words)
                for word in words:
                    share = probability[verb, word] / total
                    counts[verb, word] += share
                    totals[word] += share
        probability = defaultdict(float)
        probability.update({key: n / totals[key[1]] for key, n in counts.items()})
    best = {}
    for (verb, word), n in counts.items():
        best[verb] = max(best.get(verb, (0.0, "")), (n, word))
    return {word: verb for verb, (n, word) in best.items() if n >= MIN_COUNT}


def parse_actions(text, meanings):
    """Yield the actions that the known words of an utterance ask for."""
    verb, numbers = None, []
    for word in [*text.split(), "."]:
        if word.replace(".", "", 1).isdigit():
            numbers.append(float(word))
        elif word in meanings or word == ".":
            if verb is not None:
                yield make_action(verb, click=[*numbers, 0.0, 0.0][:2])
            verb, numbers = meanings.get(word), []


def make_action(verb, click=(0.0, 0.0), text=""):
    """Return an action of the environment."""
    return {"verb": FOLLOWER_ENV_VERBS.index(verb), "click": click, "text": text}


def follow(env, meanings, seed):
    """Play an episode, asking whenever no word is understood, and return its total reward."""
    observation, _ = env.reset(seed=seed)
    total, queue, questions, over = 0.0, [], 0, False
    while not over and questions < MAX_QUESTIONS:
        queue = queue or list(parse_actions(observation["heard"], meanings))
        if queue and observation["last"] != FAILED:
            action, questions = queue.pop(0), 0
        else:
            queue, action = [], make_action(Verb.TEXT, text="What should I do next?")
            questions += 1
        observation, reward, terminated, truncated, _ = env.step(action)
        total += reward
        over = terminated or truncated
    return total


def main():
    """Learn from some sessions, and compare episodes with and without what was learned."""
    env = gymnasium.make(FOLLOWER_ENV_ID, task="coffee", size=32)
    meanings = learn(demonstrations())
    print("learnt:", ", ".join(f"{w} = {v}" for w, v in sorted(meanings.items())))
    for name, known in (("before", {}), ("after", meanings)):
        totals = [follow(env, known, seed) for seed in range(101, 105)]
        print(f"{name}: {sum(totals) / len(totals):.2f} of the goal conditions earned")
    env.close()


if __name__ == "__main__":
    main()
