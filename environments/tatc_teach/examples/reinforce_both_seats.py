"""Train a tiny model in each seat by trial, on a CPU: REINFORCE on whole sessions.

Both models are sampled through verifiers' training client, so that a seat's trace holds its tokens,
those among which the model chose, and the reward, as trainers get them.  A trainer such as prime-rl
does the same with vLLM in the place of the endpoint here, and with its own loss.

Models so small do not learn to write a tool call in a few steps.  So they choose among calls that
are well formed, token by token, and what a session earns is added to the share of calls that could
be carried out: that they can learn.

    python reinforce_both_seats.py --steps 6
"""

import argparse
import asyncio
import json
import os
import re
from pathlib import Path

import fit_tiny_models
import tatc_teach
import torch
import verifiers.v1 as vf
from aiohttp import web

SEATS = fit_tiny_models.SEATS
KEY = "TATC_TEACH_EXAMPLE_KEY"
OBJECT = re.compile(r"\b[A-Z][A-Za-z]+_\d+\b")
TOLD_LATELY = 300  # tokens, whose objects a call may name
MOST_OBJECTS = 6
CALLS = {
    "follower": [
        *(("move", {"direction": way}) for way in ("forward", "backward", "left", "right")),
        *(("turn", {"direction": way}) for way in ("left", "right")),
        *(("look", {"direction": way}) for way in ("up", "down")),
        ("ask", {}),
        ("view", {}),
    ],
    "commander": [("check", {}), ("map", {}), ("say", {"words": "Go on."})],
}
CALLS_ON_OBJECTS = {
    "follower": [("go_to", {}), ("do", {"action": "pick_up"}), ("do", {"action": "open"})],
    "commander": [("tell", {"action": "pick_up"}), ("tell", {"action": "open"})],
}


def answers(seat, tokenizer, prompt):
    """Return the answers among which a model chooses, as tokens."""
    seen = OBJECT.findall(tokenizer.decode(prompt[-TOLD_LATELY:]))
    objects = [*dict.fromkeys(seen)][:MOST_OBJECTS] or ["Mug_1"]
    named = [
        (name, given | {"object": each})
        for name, given in CALLS_ON_OBJECTS[seat]
        for each in objects
    ]
    for name, given in CALLS[seat] + named:
        call = json.dumps({"name": name, "arguments": given})
        yield tokenizer.encode(f"<tool_call>\n{call}\n</tool_call><|im_end|>")


@torch.no_grad()
def sample(model, tokenizer, prompt, choices):
    """Return an answer's tokens, their logarithmic probabilities, and what each was chosen from."""
    given = torch.tensor([prompt])

    def possible(so_far):
        """Return the tokens that go on with some answer."""
        at = len(so_far)
        return sorted({each[at] for each in choices if each[:at] == so_far and len(each) > at})

    out = model.generate(
        given,
        attention_mask=torch.ones_like(given),
        max_new_tokens=max(map(len, choices)),
        do_sample=True,
        top_k=0,
        eos_token_id=tokenizer.eos_token_id,
        prefix_allowed_tokens_fn=lambda _, ids: possible(ids[len(prompt) :].tolist()),
        return_dict_in_generate=True,
        output_logits=True,
    )
    tokens = out.sequences[0, len(prompt) :].tolist()
    kept = [possible(tokens[:at]) for at in range(len(tokens))]
    return tokens, logprobs(torch.cat(out.logits), tokens, kept).tolist(), kept


def logprobs(logits, tokens, kept):
    """Return the logarithm of each token's probability among those that were kept."""
    return torch.stack(
        [
            torch.log_softmax(row[ids], -1)[ids.index(token)]
            for row, token, ids in zip(logits, tokens, kept, strict=True)
        ]
    )


def endpoint(models, tokenizer):
    """Return a server that answers as vLLM's `/inference/v1/generate` does, for each model."""

    async def generate(request):
        asked = await request.json()
        seat, prompt = asked["model"], asked["token_ids"]
        choices = [*answers(seat, tokenizer, prompt)]
        tokens, chances, kept = await asyncio.to_thread(
            sample, models[seat], tokenizer, prompt, choices
        )
        content = [
            {"token": f"token_id:{token}", "logprob": chance}
            for token, chance in zip(tokens, chances, strict=True)
        ]
        choice = {
            "token_ids": tokens,
            "logprobs": {"content": content},
            "sampling_mask": kept,
            "finish_reason": "stop",
        }
        return web.json_response({"request_id": "none", "choices": [choice]})

    app = web.Application(client_max_size=1 << 26)
    app.router.add_post("/inference/v1/generate", generate)
    return app


def score(trace):
    """Return what a trace earned, and the share of its answers that could be carried out."""
    counts = trace.metrics
    made = counts["calls"] + counts["silent_answers"]
    return trace.reward + (counts["calls"] - counts["refused_calls"]) / max(1, made)


def learn(model, optimizer, traces):
    """Make what earned more than the mean likelier, and the rest less likely.

    Return how many tokens that was, and by how much their logarithmic probabilities differ at most
    from those noted when they were chosen: as good as nothing, if a trace holds what was read.
    """
    scores = torch.tensor([score(trace) for trace in traces])
    advantages = (scores - scores.mean()) / (scores.std() + 1e-6)
    loss, count, most = torch.zeros(()), 0, 0.0
    for trace, advantage in zip(traces, advantages, strict=True):
        [branch] = trace.branches
        tokens, chosen = torch.tensor(branch.token_ids), torch.tensor(branch.sampled_mask)
        logits = model(tokens[None]).logits[0, :-1][chosen[1:]]
        kept = torch.tensor(branch.sampling_mask.ids).split(branch.sampling_mask.counts.tolist())
        kept = [ids.tolist() for ids in kept if len(ids)]
        now = logprobs(logits, tokens[chosen].tolist(), kept)
        noted = torch.tensor(branch.logprobs)[chosen]
        most = max(most, float((now.detach() - noted).abs().max()))
        loss = loss - advantage * now.mean() / len(traces)
        count += len(now)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return count, most


async def train(given, tokenizer, models):
    """Play and learn, step by step, and print what was earned."""
    runner = web.AppRunner(endpoint(models, tokenizer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    os.environ.setdefault(KEY, "none")
    client = vf.TrainClientConfig(
        base_url=f"http://127.0.0.1:{port}/v1",
        api_key_var=KEY,
        renderer={"name": "qwen3", "enable_thinking": False},
        renderer_model_name=str(given.out / "tokenizer"),
    )
    seats = {seat: {"model": seat, "max_turns": given.max_turns} for seat in SEATS}
    env = tatc_teach.load_environment("train", **seats)
    context = vf.ModelContext("unnamed", client)
    optimizers = {seat: torch.optim.Adam(models[seat].parameters(), lr=1e-2) for seat in SEATS}
    [task] = env.taskset.take(1)
    async with env.serving():
        for step in range(1, given.steps + 1):
            episodes = [await env.run_episode(task, context) for _ in range(given.episodes)]
            for episode in episodes:
                assert episode.ok, [*episode.errors, *(each.errors for each in episode.traces)]
            for seat in SEATS:
                traces = [each for episode in episodes for each in episode.by_agent.get(seat, ())]
                if len(traces) < 2:
                    print(f"step {step}, {seat}: too few traces to compare")
                    continue
                count, most = learn(models[seat], optimizers[seat], traces)
                told = sum(map(score, traces)) / len(traces)
                print(f"step {step}, {seat}: score {told:.2f}, {count} tokens, off by {most:.5f}")
    await runner.cleanup()


def main():
    """Make a model for each seat, and train both."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--steps", type=int, default=6)
    options.add_argument("--episodes", type=int, default=6, help="in a step")
    options.add_argument("--max-turns", type=int, default=6, help="of a seat in an episode")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=Path("tiny"))
    given = options.parse_args()
    torch.manual_seed(given.seed)
    examples = [json.dumps(calls) for calls in (*CALLS.values(), *CALLS_ON_OBJECTS.values())]
    tokenizer = fit_tiny_models.make_tokenizer(examples)
    tokenizer.save_pretrained(given.out / "tokenizer")
    models = {seat: fit_tiny_models.make_model(tokenizer) for seat in SEATS}
    asyncio.run(train(given, tokenizer, models))


if __name__ == "__main__":
    main()
