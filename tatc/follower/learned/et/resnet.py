"""E.T.'s visual features (spec 7.2): a frozen ResNet-50 and an average of its channels.

The weights come from a file: that of E.T.'s detector, whose names begin with
"backbone.body.", or that of a plain ResNet-50.  Only tensors are read from it.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn

from tatc.base.errors import BadInput
from tatc.follower.learned.et.safe_unpickling import check_weight, read_pickled, string_keyed
from tatc.home.observation import Frame

INPUT_SIDE_PIXELS = 224  # the side to which a frame is resized, in pixels
IMAGENET_MEAN, IMAGENET_STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
"""The mean and standard deviation of ImageNet's colours, for normalisation."""
CHANNEL_GROUPS = 4  # the number of channels that are averaged into one: the "4x" compression
_BLOCKS_PER_LAYER = (3, 4, 6, 3)
_BOTTLENECK_EXPANSION = 4


class FrozenBatchNorm(nn.Module):
    """Batch normalisation with fixed statistics."""

    weight: Tensor
    bias: Tensor
    running_mean: Tensor
    running_var: Tensor

    def __init__(self, channels: int) -> None:
        """Begin with the identity."""
        super().__init__()
        identity = {"weight": 1.0, "bias": 0.0, "running_mean": 0.0, "running_var": 1.0}
        for name, value in identity.items():
            self.register_buffer(name, torch.full((channels,), value))

    def forward(self, x: Tensor) -> Tensor:
        """Return the normalised (n, channels, height, width)."""
        scale = self.weight * (self.running_var + 1e-5).rsqrt()
        shift = self.bias - self.running_mean * scale
        return x * scale[:, None, None] + shift[:, None, None]


class Bottleneck(nn.Module):
    """ResNet's bottleneck block: three convolutions and a shortcut."""

    def __init__(self, in_channels: int, planes: int, stride: int) -> None:
        """Make the layers; the shortcut has a convolution if the shape changes."""
        super().__init__()
        out_channels = planes * _BOTTLENECK_EXPANSION
        self.conv1 = nn.Conv2d(in_channels, planes, 1, bias=False)
        self.bn1 = FrozenBatchNorm(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, stride, padding=1, bias=False)
        self.bn2 = FrozenBatchNorm(planes)
        self.conv3 = nn.Conv2d(planes, out_channels, 1, bias=False)
        self.bn3 = FrozenBatchNorm(out_channels)
        self.downsample = nn.Sequential()
        if stride != 1 or in_channels != out_channels:
            shortcut = nn.Conv2d(in_channels, out_channels, 1, stride, bias=False)
            self.downsample = nn.Sequential(shortcut, FrozenBatchNorm(out_channels))

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output, (n, 4 * planes, height, width over the stride)."""
        out: Tensor = torch.relu(self.bn1(self.conv1(x)))
        out = torch.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return torch.relu(out + self.downsample(x))


class ResNet50(nn.Module):
    """A ResNet-50 without its classifier: (n, 3, 224, 224) to (n, 2048, 7, 7)."""

    def __init__(self) -> None:
        """Make the layers, named as in torchvision."""
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, padding=3, bias=False)
        self.bn1 = FrozenBatchNorm(64)
        self.maxpool = nn.MaxPool2d(3, 2, padding=1)
        in_channels = 64
        for number, blocks in enumerate(_BLOCKS_PER_LAYER, 1):
            planes = 64 * 2 ** (number - 1)
            layer = [Bottleneck(in_channels, planes, 1 if number == 1 else 2)]
            in_channels = planes * _BOTTLENECK_EXPANSION
            layer += [Bottleneck(in_channels, planes, 1) for _ in range(blocks - 1)]
            setattr(self, f"layer{number}", nn.Sequential(*layer))

    def forward(self, images: Tensor) -> Tensor:
        """Return the output of the last block."""
        out: Tensor = self.maxpool(torch.relu(self.bn1(self.conv1(images))))
        for number in range(1, len(_BLOCKS_PER_LAYER) + 1):
            out = getattr(self, f"layer{number}")(out)
        return out


def read_resnet(path: Path) -> ResNet50:
    """Return an encoder with the weights of a file, in evaluation mode."""
    try:
        loaded = read_pickled(path)
    except BadInput as fault:
        raise _bad_encoder(path, fault.what) from fault
    held: Any = string_keyed(loaded).get("model", loaded)
    weights: dict[str, Tensor] = {}
    for name, value in string_keyed(held).items():
        if isinstance(value, Tensor):
            weights[name.removeprefix("backbone.body.")] = value  # a detector's
    network = ResNet50()
    wanted = network.state_dict()
    for name, value in wanted.items():
        why = check_weight(weights[name], value) if name in weights else "is missing"
        if why:
            raise _bad_encoder(path, f"{name} {why}")
    network.load_state_dict({name: weights[name] for name in wanted})
    return network.eval().requires_grad_(False)


def resnet_features(network: ResNet50, frame: Frame) -> Tensor:
    """Return a frame's features, (512, 7, 7).

    Channel c is the mean of ResNet's channels c, c + 512, c + 1024 and c + 1536.
    """
    image, size = Image.fromarray(np.asarray(frame)), (INPUT_SIDE_PIXELS, INPUT_SIDE_PIXELS)
    image = image.resize(size, Image.Resampling.BILINEAR)
    pixels = torch.tensor(np.array(image)).permute(2, 0, 1).float() / 255.0
    mean = torch.tensor(IMAGENET_MEAN)[:, None, None]
    std = torch.tensor(IMAGENET_STD)[:, None, None]
    with torch.inference_mode():
        features: Tensor = network(((pixels - mean) / std)[None])[0]
    return features.reshape(CHANNEL_GROUPS, -1, *features.shape[1:]).mean(dim=0)


def _bad_encoder(path: Path, why: str) -> BadInput:
    fix = "name the detector's or a plain ResNet-50's weights"
    return BadInput(f"is no visual encoder: {why}", where=str(path), fix=fix)
