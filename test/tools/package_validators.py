#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""package_validators.py [--sinter PROGRAM] [--pack-schema PACK.xsd] [--zephyr-module scripts/zephyr_module.py] MODEL.onnx: the packages of --package before their
ecosystems' own validators: `conan create` without a network, `pio pkg pack`, `compote manifest lint` and `component pack` of ESP-IDF's component manager, the
schema of CMSIS-Packs (a file of Open-CMSIS-Pack's specification) and Zephyr's own reader of module.yml (a file of Zephyr), as far as these two are given.
Makes a virtual environment of its own, build/validators, the first time (100 MB from PyPI). What scripts/test checks is test/codegen/packages/check_package.py."""

import argparse
import os
import runpy
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from own_environment import go_on_in

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["conan==2.34.0", "platformio==6.2.0", "idf-component-manager==3.1.2", "lxml==6.1.3", "pykwalify==1.8.0"]
TARGETS = {"conan": "host", "platformio": "host", "esp-idf": "generic32", "cmsis-pack": "cortex-m4", "zephyr": "cortex-m4"}


def run(*command: object, folder: Path) -> None:
    """With the tools' own folders beside the packages, not in the user's."""
    tools = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder.parent), "CONAN_HOME": str(folder.parent / "conan_home"),
                                "PLATFORMIO_CORE_DIR": str(folder.parent / "pio_home")}  # fmt: skip
    done = subprocess.run([*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def conan(folder: Path) -> str:
    run("conan", "profile", "detect", "--force", folder=folder)
    run("conan", "remote", "disable", "*", folder=folder)
    run("conan", "create", ".", folder=folder)
    return "conan create, its test package ran"


def platformio(folder: Path) -> str:
    archive = folder.parent / "library.tar.gz"
    run("pio", "pkg", "pack", "-o", archive, ".", folder=folder)
    with tarfile.open(archive) as files:
        assert "library.json" in files.getnames()
    return "pio pkg pack"


def esp_idf(folder: Path) -> str:
    run("compote", "manifest", "lint", "idf_component.yml", "examples/run/main/idf_component.yml", folder=folder)
    run("compote", "component", "pack", "--name", "net", folder=folder)
    return "compote manifest lint, component pack"


def cmsis_pack(folder: Path, schema: Path | None) -> str:
    if not schema:
        return "not tried: --pack-schema is not given"
    from lxml import etree

    (description,) = folder.glob("*.pdsc")
    rules = etree.XMLSchema(etree.parse(schema))
    if not rules.validate(etree.parse(description)):
        sys.exit(f"{description}: {rules.error_log}")
    return f"valid by {schema.name}"


def zephyr(folder: Path, reader: Path | None) -> str:
    if not reader:
        return "not tried: --zephyr-module is not given"
    functions = runpy.run_path(str(reader))
    meta = functions["process_module"](str(folder))
    assert functions["process_cmake"](str(folder), meta) and functions["process_kconfig"](str(folder), meta)
    return "read by Zephyr's own process_module"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinter", type=Path, default=ROOT / "build/bin/sinter")
    parser.add_argument("--pack-schema", type=Path)
    parser.add_argument("--zephyr-module", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("flags", nargs="*", help="of sinter, behind --")
    arguments = parser.parse_args()
    go_on_in("validators", PACKAGES)
    with tempfile.TemporaryDirectory() as place:
        for kind, target in TARGETS.items():
            folder = Path(place) / kind
            subprocess.run([arguments.sinter, arguments.model, "--package", kind, "--target", target, "-o", folder, "--quiet", *arguments.flags], check=True)
            more = {"cmsis-pack": [arguments.pack_schema], "zephyr": [arguments.zephyr_module]}.get(kind, [])
            print(f"{kind}: {globals()[kind.replace('-', '_')](folder, *more)}", flush=True)


main()
