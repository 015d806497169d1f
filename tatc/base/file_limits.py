"""The limits on the files that tatc reads: one table, which `file_reading` keeps to.

`docs/reference/security.md` explains it.
"""

from dataclasses import dataclass

from tatc.base.errors import (
    BadInput,
    GameFormatError,
    MapFormatError,
    RoomFormatError,
    TaskFormatError,
)

MEBIBYTE = 1 << 20
FIX_COPY_AGAIN = "copy or download the file again"


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The limits of one kind of file.

    `max_bytes` limits the file, and what it holds once unpacked; for a file of lines, one line.
    `max_depth` limits how deeply JSON objects and lists are nested, `max_values` how many values
    there are, objects and lists included.  Faults are raised as `error`, with the advice `fix`.
    """

    max_bytes: int
    max_depth: int = 64
    max_values: int = 2_000_000
    error: type[BadInput] = BadInput
    fix: str = FIX_COPY_AGAIN


GAME = FileLimits(32 * MEBIBYTE, error=GameFormatError)
"""A TEACh game, a record of tatc, or an EDH or TfD instance; TEACh's largest has 3 MiB."""
METADATA_DUMP = FileLimits(128 * MEBIBYTE, max_values=8_000_000, error=GameFormatError)
"""A recording with AI2-THOR's metadata after each action."""
ROOM = FileLimits(
    4 * MEBIBYTE, 16, 200_000, RoomFormatError, "give a room's name or the path of a room file"
)
TASK = FileLimits(MEBIBYTE, 32, 50_000, TaskFormatError, "repair the file")
RECORDED_MAP = FileLimits(
    64 * MEBIBYTE,
    16,
    8_000_000,
    MapFormatError,
    "make one with: tatc maps build GAMES... --out FILE",
)
ALFRED_FILE = FileLimits(
    8 * MEBIBYTE, 32, 500_000, fix="name the folder of a clone of github.com/askforalfred/alfred"
)
TRAJECTORY = FileLimits(8 * MEBIBYTE, 32, 1_000_000, GameFormatError)
"""A trajectory of ALFRED; the largest has 0.4 MiB."""
RUN = FileLimits(4 * MEBIBYTE, 16, 100_000, fix="name a folder that `tatc eval` made")
"""`run.json`, which lists the games that a user named."""
RESULT_LINE = FileLimits(MEBIBYTE // 4, 8, 10_000)
"""A line of `results.jsonl` or `timings.jsonl`."""
FIDELITY_REPORT = FileLimits(
    16 * MEBIBYTE, 16, 500_000, fix="make it again with: tatc fidelity GAMES... --out RUN"
)
CACHE_LINE = FileLimits(4 * MEBIBYTE, 8, 200_000)
"""A line of the files in which `tatc fidelity` and `tatc instances` note what is done."""
EXAMPLES = FileLimits(256 * MEBIBYTE)
"""The examples of one game, or of some episodes, in the cache of `tatc train`."""
TRAINING_NOTE = FileLimits(4 * MEBIBYTE, 8, 100_000, fix="give --force to start again")
"""The options of a training, in its folder."""
MODEL_ANSWER = FileLimits(MEBIBYTE, 8, 10_000, fix="see the model's server")
"""What the server of a model answers."""
CACHED_ANSWER = FileLimits(
    4 * MEBIBYTE, 32, 100_000, fix="delete the file, so that the model is asked again"
)
"""A request to a language model and its answer, as the cache keeps them."""
DIALOGUE = FileLimits(
    MEBIBYTE, fix="write lines such as `Commander: make a coffee` and `Follower: done`"
)
"""A dialogue as text, for `tatc understand`."""
MEMORY_LINE = FileLimits(MEBIBYTE // 4, 16, 10_000, fix="mend the line, or take it out of the file")
"""A line of the memory in which goals are kept under names."""
MEMORY = FileLimits(64 * MEBIBYTE, fix="take lines out of the file")
"""A memory of goals."""
MAX_MEMORY_ENTRIES = 10_000
"""How many goals a memory may hold."""
TRAINED_LISTENER = FileLimits(
    16 * MEBIBYTE, 16, 500_000, fix="name a file that `tatc train-listener` wrote"
)
"""A listener of the user's own: where things are, and goals under names."""
POLICY = FileLimits(MEBIBYTE, fix="give a folder of policy files")
BREAKPOINTS = FileLimits(MEBIBYTE, fix="name another file with --breakpoints")
LIGHT_CHECKPOINT = FileLimits(
    256 * MEBIBYTE, 8, 500_000, fix="name a checkpoint that `tatc train` wrote"
)
"""A safetensors file, each entry of whose header is JSON."""
MAX_LIGHT_HEADER_BYTES = 4 * MEBIBYTE
TORCH_FILE = FileLimits(4096 * MEBIBYTE)
"""A checkpoint of E.T., its vocabulary, a visual encoder, or the state of a training."""
MAX_PICKLE_BYTES = 8 * MEBIBYTE
"""The largest pickle in such a file; its tensors lie apart."""
MAX_STATE_OBJECTS = 1000
"""How many objects a state or a room may hold; iTHOR's homes hold some 150."""
MAX_INTERACTIONS = 10_000
"""How many interactions, utterances or decisions a session may hold."""
MAX_SUBGOALS = 200
"""How many subgoals the plan of a trajectory may have; ALFRED's longest have some 20."""
MAX_TASK_DEPTH = 16
"""How deeply tasks may be nested; TEACh's are nested 4 deep."""
MAX_TASK_PARTS = 5000
"""How many components, conditions and texts a task may have, those of nested tasks included."""
MAX_TASK_TEXT = 2000
"""The longest text of a task in characters, parameters filled in."""
MAX_NEEDED_OBJECTS = 1_000_000
"""How many objects of one component a task may ask for, numbers of nested tasks multiplied."""
LINES_FILE = FileLimits(1024 * MEBIBYTE)
"""A file of lines, which are read one by one."""
TOOL_CALL = FileLimits(MEBIBYTE // 16, 8, 10_000, fix='write a call such as {"name": "ask"}')
"""A line of what `tatc play` reads."""
OPERATOR_REQUEST = FileLimits(MEBIBYTE // 16, 8, 10_000, fix='send {"session": "..."}')
"""What the operator of a server sends."""
CLIENT_TOKENS = FileLimits(MEBIBYTE // 16, fix="write a name and a token on each line")
"""A file with the clients of a server and their tokens."""
