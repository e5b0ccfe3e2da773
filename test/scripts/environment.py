#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# environment.py STAGE [--resolve]: makes the Python environment of a stage of scripts/setup from nothing and imports in it what the stage's scripts
# use: the requirements are complete, with exact versions. Packages are installed without what they need themselves, so whatever is not pinned is
# missing; pip says what. A quarter of a minute where pip has the packages in its cache. --resolve installs nothing and asks the index what the
# requirements need: for stages whose packages are large (export: 1.3 GB). Exits 77 (skipped) where the index cannot be reached; with SINTER_PYTHON,
# which stands for an environment made by hand, only imports are checked, in that one.
#
# What scripts use is read from them (imports.py). That includes what the functions that they call import in their bodies: onnxruntime's quantizer
# imports sympy only when it is called.
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import venv

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
ESTIMATORS = "test/end_to_end/scikit_learn.py"
ARCHITECTURES = "test/tools/gpu_architectures.py"
PEERS = "test/tools/gpu_peers.py"  # in no stage: it measures what a machine with a GPU has
SIMPLIFIERS = "test/tools/simplifiers.py"
ALONE = ["test/tools/package_validators.py", "test/tools/triton_load.py"]  # in environments that they make
SERVING = "samples/serving/*.py"  # in the environment of a server
WHEEL = "test/python/inside/*.py"  # in the environment that a wheel was installed into
EXPORTED = ["test/end_to_end/decoders.py", "test/end_to_end/encoder_decoder*.py", "test/end_to_end/peft_adapter.py", "test/end_to_end/word_times.py", "test/end_to_end/speech_doubt.py",
            "test/generation/beams.py", "test/generation/logits.py", "test/compiler/chat_template/Inputs/equal.py", "test/compiler/tokenizer/Inputs/slow_transformers.py", "samples/whisper/*.py"]  # against what exporters start from
TESTS = ["test/**/*.py", "test/**/*.test", "samples/**/*.py", "!" + ESTIMATORS, "!" + ARCHITECTURES, "!" + PEERS, "!" + SIMPLIFIERS, "!" + SERVING, "!" + WHEEL,
         *("!" + path for path in ALONE + EXPORTED)]
# Per stage: the requirements that scripts/setup takes (estimators: that are installed by hand), the scripts that run in it; "!" takes one out.
STAGES = {
    "build": (["build"], ["compiler/frontend/*.py"]),
    "wheel": (["build", "wheel"], []),
    "test": (["build", "wheel", "test"], [*TESTS, "compiler/driver/oracle/oracle.py", "compiler/driver/oracle/custom_ops.py"]),
    "bench": (["build", "wheel", "test", "bench"], [*(path for path in TESTS if path != "!" + SIMPLIFIERS), "compiler/**/*.py"]),
    "estimators": (["build", "wheel", "test", "estimators"], [ESTIMATORS]),
    "export": (["build", "wheel", "test", "export"], ["test/end_to_end/exports.py", ARCHITECTURES, *EXPORTED]),
}
GPU = re.compile("nvidia-|cuda-|triton$")  # scripts/setup takes torch without
OFFLINE = re.compile("NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Network is unreachable|Temporary failure in name resolution")


def requirements(stage):
    return [os.path.join(ROOT, "scripts", f"requirements-{name}.txt") for name in STAGES[stage][0]]


def canonical(name):
    return re.sub("[-_.]+", "-", name).lower()


def pins(stage):
    """Exact versions by name. Every line has one, no name stands twice."""
    found = {}
    for path in requirements(stage):
        for line in open(path, encoding="utf-8").read().splitlines():
            if not line or line.startswith("#"):
                continue
            match = re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9][A-Za-z0-9.]*)", line)
            if not match:
                sys.exit(f"{path}: '{line}' has no exact version")
            if canonical(match[1]) in found:
                sys.exit(f"{path}: {match[1]} is pinned twice")
            found[canonical(match[1])] = match[2]
    return found


def pip(*arguments):
    # With the tests' interpreter, whose environment is not touched.
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    print("+", " ".join(command), flush=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout + done.stderr)
        if OFFLINE.search(done.stdout + done.stderr):
            print("skipped: the package index cannot be reached")
            sys.exit(77)
        sys.exit(1)


def files_of(stage):
    return [option for path in requirements(stage) for option in ("-r", path)]


def resolve(stage, folder):
    """What pip would install, against what is pinned."""
    report = os.path.join(folder, "report.json")
    pip("install", "--dry-run", "--ignore-installed", "--retries", "1", "--report", report, *files_of(stage))
    with open(report, encoding="utf-8") as file:
        chosen = [package["metadata"] for package in json.load(file)["install"]]
    pinned = pins(stage)
    packages = {canonical(data["name"]): data["version"] for data in chosen}
    wanted = {name: version for name, version in packages.items() if name in pinned or not GPU.match(name)}
    wrong = [f"{name}=={version}" for name, version in wanted.items() if pinned.get(name) != version.split("+")[0]]
    if wrong:
        print(f"scripts/requirements-*.txt do not pin these for the stage {stage}: {' '.join(sorted(wrong))}")
    idle = set(pinned) - set(wanted)
    if idle:
        print(f"pinned, but no part of the stage {stage}: {' '.join(sorted(idle))}")
    return bool(wrong or idle)


def check_imports(python, stage):
    patterns = STAGES[stage][1]
    if not patterns:  # a stage of tools: none of its scripts is Python
        return 0
    out = {path for pattern in patterns if pattern.startswith("!") for path in glob.glob(os.path.join(ROOT, pattern[1:]))}
    scripts = [path for pattern in patterns for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)) if path not in out]
    scripts = [path for path in scripts if not path.endswith(".cfg.py")]  # lit's, which comes with LLVM
    return subprocess.run([python, os.path.join(os.path.dirname(__file__), "imports.py"), *scripts], check=False).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stage", choices=STAGES)
    parser.add_argument("--resolve", action="store_true")
    arguments = parser.parse_args()
    pins(arguments.stage)
    if os.environ.get("SINTER_PYTHON"):
        return 0 if arguments.resolve else check_imports(os.environ["SINTER_PYTHON"], arguments.stage)
    with tempfile.TemporaryDirectory() as folder:
        if arguments.resolve:
            return resolve(arguments.stage, folder)
        environment = os.path.join(folder, "environment")
        venv.create(environment, with_pip=False, symlinks=True)
        python = os.path.join(environment, "bin", "python")
        pip("--python", python, "install", "--no-deps", "--no-compile", *files_of(arguments.stage))
        pip("--python", python, "check")
        return check_imports(python, arguments.stage)


if __name__ == "__main__":
    sys.exit(main())
