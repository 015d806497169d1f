"""Checkpoints of light Followers (`network_file`)."""

from dataclasses import dataclass
from pathlib import Path

from tatc.follower.learned import network_file
from tatc.follower.learned.light.network import LightNetwork, LightNetworkSizes
from tatc.follower.learned.light.network_inputs import FIRST_NAMED_CLASS, FIRST_WORD_ID
from tatc.follower.learned.network_file import TextPairs
from tatc.follower.learned.network_shapes import shapes_only

LIGHT_FORMAT = "tatc-light-1"
_MAX_CLASSES = 256  # class maps have a byte for each pixel
_LIMIT_BY_SIZE = {
    "words": network_file.MAX_WORDS,
    "classes": _MAX_CLASSES,
    **dict.fromkeys(("width", "heads", "feed"), network_file.MAX_WIDTH),
    **dict.fromkeys(("readers", "layers"), network_file.MAX_LAYERS),
}


@dataclass(frozen=True, slots=True)
class LightModel:
    """A network, its vocabulary and object classes, and a card of (name, value) pairs.

    `verb_object_pairs` are the (verb, object type) pairs of its training, () if unknown.
    """

    network: LightNetwork
    words: tuple[str, ...]
    classes: tuple[str, ...]
    card: TextPairs = ()
    verb_object_pairs: TextPairs = ()


def new_light_model(
    words: tuple[str, ...], classes: tuple[str, ...], *, recalls: bool = False, **sizes: int
) -> LightModel:
    """Return an untrained network; torch's generator draws its weights."""
    count = len(words) + FIRST_WORD_ID
    shape = LightNetworkSizes(count, len(classes) + FIRST_NAMED_CLASS, recalls=recalls, **sizes)
    return LightModel(LightNetwork(shape), words, classes)


def write_light_checkpoint(model: LightModel, path: Path, *, half_precision: bool = False) -> None:
    """Write a checkpoint; `half_precision` stores the weights in 16 bits."""
    header = {
        "format": LIGHT_FORMAT,
        "words": model.words,
        "classes": model.classes,
        "card": model.card,
        "deeds": model.verb_object_pairs,
    }
    network_file.write_network(
        model.network, model.network.sizes, header, path, half_precision=half_precision
    )


def read_light_checkpoint(path: Path) -> LightModel:
    """Read a checkpoint; its network is in evaluation mode."""
    with network_file.opened_network(path, LIGHT_FORMAT) as (file, header):
        sizes = network_file.read_sizes(header, LightNetworkSizes, _LIMIT_BY_SIZE)
        words, classes = (network_file.read_texts(header, name) for name in ("words", "classes"))
        counts = len(words) + FIRST_WORD_ID, len(classes) + FIRST_NAMED_CLASS
        if (sizes.words, sizes.classes) != counts:
            raise ValueError("its vocabulary does not match its network")
        pairs = network_file.read_pairs(header, "deeds") if "deeds" in header else ()
        card = network_file.read_pairs(header, "card")
        with shapes_only():
            network = LightNetwork(sizes)
        network_file.load_weights(file, network)
    return LightModel(network, words, classes, card, pairs)
