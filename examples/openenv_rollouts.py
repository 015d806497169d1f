"""Collect rollouts from `tatc serve openenv`, one JSON line an episode, with a stub for the model.

Put your model in the place of `stub_model`: it is given the rules, the tools and the text that the
Follower reads, and returns a tool call.  Several episodes run side by side, each on a WebSocket.

    tatc serve openenv --split train    # in an environment with the extra openenv
    python examples/openenv_rollouts.py ADDRESS --episodes 8 > rollouts.jsonl
"""

import argparse
import json
import re
from concurrent.futures import ThreadPoolExecutor

from openenv.core.generic_client import GenericEnvClient

IN_VIEW = re.compile(r"^(\w+_\d+) ", re.M)


def stub_model(rules, tools, text, turns):
    """Ask, walk to what is nearest, and stop; a model would read all that it is given."""
    if len(turns) >= 4:
        return "stop", {}
    if not turns:
        return "ask", {}
    in_view = IN_VIEW.findall(text)
    return ("go_to", {"object": in_view[0]}) if in_view else ("turn", {"direction": "left"})


def rollout(address, seed, max_calls):
    """Play one episode; return its turns and what it earned."""
    with GenericEnvClient(base_url=address).sync() as env:
        first = env.reset(seed=seed).observation
        text, turns, earned, done = first["text"], [], 0.0, False
        while not done and len(turns) < max_calls:
            name, arguments = stub_model(first["rules"], first["tools"], text, turns)
            result = env.step({"name": name, "arguments": arguments})
            turns.append({"text": text, "name": name, "arguments": arguments})
            text, done = result.observation["text"], result.done
            earned += result.reward or 0.0
    return {"seed": seed, "reward": earned, "turns": turns}


def main():
    """Print the rollouts, in the order of their seeds."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("address")
    options.add_argument("--episodes", type=int, default=8)
    options.add_argument("--side-by-side", type=int, default=4)
    options.add_argument("--max-calls", type=int, default=100)
    given = options.parse_args()
    with ThreadPoolExecutor(given.side_by_side) as pool:
        seeds = range(given.episodes)
        for found in pool.map(lambda s: rollout(given.address, s, given.max_calls), seeds):
            print(json.dumps(found))


if __name__ == "__main__":
    main()
