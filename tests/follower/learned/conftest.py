"""Learned Followers need torch; without the extra their tests skip and say so."""

import pytest

torch = pytest.importorskip("torch", reason="needs the extra: learned")
pytest.importorskip("safetensors", reason="needs the extra: learned")
torch.set_num_threads(1)
