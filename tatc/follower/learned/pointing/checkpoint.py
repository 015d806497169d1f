"""Checkpoints of pointing Followers (`network_file`)."""

from dataclasses import dataclass
from pathlib import Path

from tatc.follower.learned import network_file
from tatc.follower.learned.light.network_inputs import FIRST_WORD_ID
from tatc.follower.learned.network_shapes import shapes_only
from tatc.follower.learned.pointing.decision import FIRST_TYPE
from tatc.follower.learned.pointing.network import PointingNetwork, PointingSizes, word_shares

POINTING_FORMAT = "tatc-pointing-1"
_LIMIT_BY_SIZE = {
    "words": network_file.MAX_WORDS,
    "types": network_file.MAX_WORDS,
    **dict.fromkeys(("width", "heads"), network_file.MAX_WIDTH),
    "blocks": network_file.MAX_LAYERS,
}


@dataclass(frozen=True, slots=True)
class PointingModel:
    """A network, its vocabulary and object types, and a card of (name, value) pairs."""

    network: PointingNetwork
    words: tuple[str, ...]
    types: tuple[str, ...]
    card: network_file.TextPairs = ()


def new_pointing_model(
    words: tuple[str, ...], types: tuple[str, ...], **sizes: int
) -> PointingModel:
    """Return an untrained network; torch's generator draws its weights."""
    shape = PointingSizes(len(words) + FIRST_WORD_ID, len(types) + FIRST_TYPE, **sizes)
    return PointingModel(PointingNetwork(shape, words, types), words, types)


def write_pointing_checkpoint(
    model: PointingModel, path: Path, *, half_precision: bool = False
) -> None:
    """Write a checkpoint; `half_precision` stores the weights in 16 bits."""
    header = {"format": POINTING_FORMAT, "words": model.words, "types": model.types}
    network, header = model.network, {**header, "card": model.card}
    network_file.write_network(network, network.sizes, header, path, half_precision=half_precision)


def read_pointing_checkpoint(path: Path) -> PointingModel:
    """Read a checkpoint; its network is in evaluation mode."""
    with network_file.opened_network(path, POINTING_FORMAT) as (file, header):
        sizes = network_file.read_sizes(header, PointingSizes, _LIMIT_BY_SIZE)
        words, types = (network_file.read_texts(header, name) for name in ("words", "types"))
        if (sizes.words, sizes.types) != (len(words) + FIRST_WORD_ID, len(types) + FIRST_TYPE):
            raise ValueError("its vocabulary does not match its network")
        card = network_file.read_pairs(header, "card")
        with shapes_only():
            network = PointingNetwork(sizes, words, types)
        network_file.load_weights(file, network)
    network.type_words = word_shares(words, types)
    return PointingModel(network, words, types, card)
