#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py SINTER FOLDER: makes the wheel with that compiler (scripts/wheel), looks at what is in it, and makes what the scripts in inside/ need:
FOLDER/environment, where the wheel is installed and what it requires, FOLDER/more, packages that only some of them take, and FOLDER/models."""
import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv
import zipfile

import models

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What manylinux counts on, beside the C library's own parts.
BASE = {"libgcc_s.so.1", "libstdc++.so.6", "libm.so.6", "libc.so.6", "libz.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1"}

# That of Ubuntu 22.04.
NEWEST_GLIBC = 35


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run(command, check=True, **options)


def needed(path):
    """Shared libraries, by what stands in the file."""
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))


def check(wheel, unpacked):
    tag = re.fullmatch(r"sinter-[\d.]+-cp311-abi3-manylinux_2_(\d+)_\w+\.whl", wheel.name)
    assert tag and int(tag[1]) <= NEWEST_GLIBC, wheel.name
    assert not list(unpacked.glob("*.libs")), "the compiler is one file"
    own = {path.name for path in unpacked.rglob("*.so*")}
    for path in [unpacked / "sinter/bin/sinter", *unpacked.rglob("*.so*")]:
        strange = {name for name in needed(path) if name not in BASE | own and not name.startswith("ld-linux")}
        assert not strange, f"{path.name} needs {strange}"
    assert (unpacked / "sinter/py.typed").exists() and list(unpacked.rglob("LICENSE"))
    notices = next(unpacked.glob("*.dist-info/licenses/THIRD-PARTY.txt")).read_text()
    for package in ("libmlir-19-dev", "libprotobuf-dev", "libzstd-dev", "onnx", "libstdc++"):
        assert package in notices, package
    metadata = next(unpacked.glob("*.dist-info/METADATA")).read_text()
    assert "Provides-Extra: zig" in metadata, metadata


def link(package, folder):
    """A package of this environment, as if it were installed there; nothing is copied or asked for."""
    distribution = importlib.metadata.distribution(package)
    for top in {file.parts[0] for file in distribution.files or [] if file.parts[0] not in ("..", "__pycache__")}:
        place = folder / top
        if not place.exists():
            place.symlink_to(distribution.locate_file(top))


def main(compiler, work):
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    run(ROOT / "scripts/wheel", "--compiler", compiler, work / "wheels", env={**os.environ, "SINTER_PYTHON": sys.executable})
    wheel = next((work / "wheels").glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "unpacked")
    check(wheel, work / "unpacked")
    venv.create(work / "environment", with_pip=False, symlinks=True)
    python = work / "environment/bin/python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python]
    run(*pip, "install", "--no-index", "--no-deps", wheel)
    site = next((work / "environment/lib").glob("python*/site-packages"))
    for package in ("numpy", "nanobind-backend"):
        link(package, site)
    run(*pip, "check")
    (work / "more").mkdir()
    for package in ("ziglang", "onnx", "ml_dtypes", "protobuf", "typing_extensions", "magika", "python-dotenv", "click"):
        link(package, work / "more")
    (work / "python").write_text(sys.executable)  # has onnxruntime
    (work / "models").mkdir()
    models.write(work / "models")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
