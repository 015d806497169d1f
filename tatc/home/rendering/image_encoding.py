"""Encodes what was drawn as the bytes of image files, by Pillow."""

from io import BytesIO
from typing import Any

from numpy.typing import NDArray
from PIL import Image


def encode_image(pixels: NDArray[Any], file_format: str, **options: int) -> bytes:
    """Return pixels as the bytes of a file; the options are those of Pillow's format."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, file_format, **options)
    return buffer.getvalue()
