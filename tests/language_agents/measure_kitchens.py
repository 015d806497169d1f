"""How often the scripted model makes coffee: as either agent, through `tatc run`.

    python -m tests.language_agents.measure_kitchens [ROOM ...]

Without rooms it plays in all shipped kitchens.  Pytest does not collect this.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from typer.testing import CliRunner

from tatc.cli import app
from tatc.rooms import room_names
from tests.language_agents.scripted_endpoint import ScriptedModel
from tests.llm.stub_endpoint import MODEL, stub_endpoint

ROLES = ("follower", "commander")


def main(rooms: list[str]) -> None:
    """Print an outcome for each room and role, then how many succeed."""
    solved = dict.fromkeys(ROLES, 0)
    with stub_endpoint() as stub, TemporaryDirectory() as folder:
        model = ["--model", MODEL, "--base-url", stub.base_url]
        for room in rooms:
            for role in ROLES:
                stub.reset()
                stub.usual = ScriptedModel()
                words = ["run", "coffee", "--room", room, f"--{role}", "llm", "--no-save", "--json"]
                answers = ["--answers", str(Path(folder) / room / role)]
                done = CliRunner().invoke(app, [*words, *model, *answers])
                found = json.loads(done.stdout) if done.stdout else {"end": done.stderr.strip()}
                solved[role] += found.get("success", False)
                print(room, role, found["end"], found.get("model_calls"), flush=True)  # noqa: T201
    for role in ROLES:
        print(f"{role}: {solved[role]} of {len(rooms)}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name in room_names() if name.startswith("kitchen-")])
