"""Learn what the Commander's words mean by watching, then follow them oneself.

What the Commander says and what a Follower then does are pairs of sentences in two
languages; IBM's first translation model (Brown et al., 1993) finds which word stands
for which action.  It takes a few seconds: python examples/learn_to_follow.py
"""

from collections import Counter, defaultdict
from itertools import product

import gymnasium

import tatc
from tatc.actions import MOTION_VERBS, Role, Verb
from tatc.envs import FOLLOWER_ENV_ID
from tatc.envs.spaces import FAILED, FOLLOWER_ENV_VERBS

TASKS = ("coffee", "water plant", "n slices of x in y")
SEEDS = range(1, 13)
EM_ROUNDS = 20  # of expectation and maximisation
MIN_COUNT = 2.0  # how often a word must have stood for an action to count as its name
MAX_QUESTIONS = 3  # questions in a row before it gives up


def demonstrations():
    """Yield what was said and what was then done, from sessions of the rule pair."""
    for task, seed in product(TASKS, SEEDS):
        words, done = set(), []
        for each in tatc.run(task, seed=seed).interactions:
            if each.verb is Verb.TEXT and each.role is Role.COMMANDER:
                yield words, done
                words, done = words_of(each.text), []
            elif each.role is Role.FOLLOWER and (each.click or each.verb in MOTION_VERBS):
                done.append(each.verb)
        yield words, done


def words_of(text):
    """Return the words of an utterance that are no numbers."""
    return {word for word in text.split() if not word.replace(".", "").isdigit()}


def learn(pairs):
    """Return the words that stand for an action, each with its verb."""
    pairs = [(words, done) for words, done in pairs if words and done]
    chance = defaultdict(lambda: 1.0)  # of a verb, given a word
    for _ in range(EM_ROUNDS):
        counts, totals = Counter(), Counter()
        for words, done in pairs:
            for verb in done:
                whole = sum(chance[verb, word] for word in words)
                for word in words:
                    share = chance[verb, word] / whole
                    counts[verb, word] += share
                    totals[word] += share
        chance = defaultdict(float)
        chance.update({key: n / totals[key[1]] for key, n in counts.items()})
    best = {}
    for (verb, word), n in counts.items():
        best[verb] = max(best.get(verb, (0.0, "")), (n, word))
    return {word: verb for verb, (n, word) in best.items() if n >= MIN_COUNT}


def parse_actions(text, meanings):
    """Yield the actions that an utterance asks for, as far as its words are known."""
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
    """Return what an episode earned; what is not understood is asked again."""
    seen, _ = env.reset(seed=seed)
    earned, queue, asked, over = 0.0, [], 0, False
    while not over and asked < MAX_QUESTIONS:
        queue = queue or list(parse_actions(seen["heard"], meanings))
        if queue and seen["last"] != FAILED:
            action, asked = queue.pop(0), 0
        else:
            queue, action = [], make_action(Verb.TEXT, text="What should I do next?")
            asked += 1
        seen, reward, done, cut, _ = env.step(action)
        earned += reward
        over = done or cut
    return earned


def main():
    """Learn from some sessions, and play others before and after."""
    env = gymnasium.make(FOLLOWER_ENV_ID, task="coffee", size=32)
    meanings = learn(demonstrations())
    print("learnt:", ", ".join(f"{w} = {v}" for w, v in sorted(meanings.items())))
    for name, known in (("before", {}), ("after", meanings)):
        earned = [follow(env, known, seed) for seed in range(101, 105)]
        print(f"{name}: {sum(earned) / len(earned):.2f} of the goal conditions earned")
    env.close()


if __name__ == "__main__":
    main()
