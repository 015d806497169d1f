"""Fit a tiny model for each seat, on a CPU, to conversations in which the seat did well.

The conversations are demonstrations of `tatc export --format chat`, or the `traces.jsonl` of an
evaluation of this environment, of which the seats that are trained and earned enough are kept.
Before, the loaders of TRL and of verifiers have to read each conversation as it is.  The models
begin at random and learn next to nothing in a few steps; put your own model in their place.

    pip install trl
    tatc export --format chat --split train --count 3 --out demonstrations.jsonl
    python fit_tiny_models.py demonstrations.jsonl --steps 8
"""

import argparse
import json
from importlib import resources
from importlib.metadata import version
from pathlib import Path

import verifiers.v1 as vf
from datasets import Dataset, load_dataset
from pydantic import TypeAdapter
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import SFTConfig, SFTTrainer
from trl.data_utils import is_conversational
from verifiers.v1.dialects.chat import message_to_wire, parse_message

SEATS = ("commander", "follower")
MARKS = ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<think>", "</think>", "<tool_call>"]
MARKS += ["</tool_call>", "<tool_response>", "</tool_response>"]  # those of Qwen 3
TOKENS = 2_000  # of the vocabulary, which is made of the conversations themselves


def conversations(path, least_reward):
    """Yield each conversation of a file, as its seat, messages and tools."""
    for line in path.read_text("utf-8").splitlines():
        raw = json.loads(line)
        if "traces" not in raw:
            yield {"seat": raw["tatc"]["role"], "messages": raw["messages"], "tools": raw["tools"]}
            continue
        for trace in vf.WireEpisode.model_validate(raw).traces:
            if trace.agent.trainable and trace.reward >= least_reward:
                messages = [message_to_wire(each) for each in trace.messages]
                tools = trace.task.data.model_extra["tools"]
                yield {"seat": trace.agent.name, "messages": messages, "tools": tools}


def write_lines(found, out):
    """Write conversations as JSON lines into a folder; return the file."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "conversations.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in found), "utf-8")
    return path


def check_loaders(path):
    """Return the conversations as TRL loads them; stop if a loader reads something else."""
    written = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    loaded = load_dataset("json", data_files=str(path), split="train")
    for before, after in zip(written, loaded, strict=True):
        assert is_conversational({"messages": after["messages"]})
        assert after["messages"] == before["messages"] and after["tools"] == before["tools"]
        typed = [parse_message(each) for each in before["messages"]]
        TypeAdapter(vf.Messages).validate_python([each.model_dump() for each in typed])
        for typed_one, one in zip(typed, before["messages"], strict=True):
            again = message_to_wire(typed_one)
            # A server may leave out the content of an answer that has tool calls.
            assert {**again, "content": again["content"] or ""} == one | {
                "content": one["content"] or ""
            }
    return loaded


def make_tokenizer(texts):
    """Return a tokenizer of the bytes and the commonest strings of some texts."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=TOKENS, special_tokens=MARKS, initial_alphabet=alphabet, show_progress=False
        ),
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    template = resources.files("trl").joinpath("chat_templates", "qwen3_training.jinja")
    tokenizer.chat_template = template.read_text("utf-8")
    return tokenizer


def make_model(tokenizer):
    """Return a model of random weights, small enough for a few steps on a CPU."""
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=32,
            head_dim=16,
            intermediate_size=64,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def fit(model, tokenizer, loaded, steps, out):
    """Fit a model to the answers in conversations; return the loss at each step."""
    trainer = SFTTrainer(
        model=model,
        args=SFTConfig(
            output_dir=str(out / "trainer"),
            max_length=8_192,
            max_steps=steps,
            learning_rate=1e-2,
            per_device_train_batch_size=1,
            assistant_only_loss=True,
            gradient_checkpointing=False,
            logging_steps=1,
            report_to=[],
            save_strategy="no",
            disable_tqdm=True,
            use_cpu=True,
        ),
        train_dataset=loaded,
        processing_class=tokenizer,
    )
    trainer.train()
    return [float(row["loss"]) for row in trainer.state.log_history if "loss" in row]


def rows_of(loaded: Dataset, seat: str) -> Dataset:
    """Return the conversations of a seat."""
    numbers = [at for at, name in enumerate(loaded["seat"]) if name == seat]
    return loaded.select(numbers).remove_columns("seat")


def main():
    """Check the loaders, fit each seat, and print the losses."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("files", nargs="+", type=Path)
    options.add_argument("--steps", type=int, default=8)
    options.add_argument("--least-reward", type=float, default=1.0)
    options.add_argument("--out", type=Path, default=Path("tiny"))
    given = options.parse_args()
    found = [each for file in given.files for each in conversations(file, given.least_reward)]
    loaded = check_loaders(write_lines(found, given.out))
    texts = [each["content"] or "" for line in loaded for each in line["messages"]]
    tokenizer = make_tokenizer(texts)
    names = ("verifiers", "trl", "transformers", "datasets", "torch")
    print("loaded alike:", len(loaded), *(f"{name} {version(name)}" for name in names), sep="  ")
    for seat in SEATS:
        if not (rows := rows_of(loaded, seat)):
            print(f"{seat}: no conversation")
            continue
        losses = fit(make_model(tokenizer), tokenizer, rows, given.steps, given.out)
        told = f"{len(rows)} conversations, {len(losses)} steps"
        print(f"{seat}: {told}, loss {losses[0]:.2f} before and {losses[-1]:.2f} after")
        assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
