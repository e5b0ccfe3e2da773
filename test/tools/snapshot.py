#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/snapshot: the sources and reports that the compiler makes of many models for many targets and options, kept, and compared with those that
another build of it makes. Models: test/end_to_end/*.toml, the others of the folder of real models, the samples, and 200 conformance cases."""
import argparse
import collections
import difflib
import hashlib
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test/end_to_end"))
MODELS = pathlib.Path(os.environ.get("SINTER_MODELS") or ROOT / "../shared/models")
TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4+vnni", "aarch64", "armv7", "cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m33", "cortex-m55")
OPTIONS = {
    "balanced": (),
    "speed": ("--fit", "speed"),
    "ram": ("--fit", "ram"),
    "quantized": ("--io", "quantized", "--io-in-arena"),
    "regions": ("--ram", "fast=32K,slow", "--io-in-arena"),
    "threads": ("--threads", "4"),
}
CASES = 200
WORST = 1.05
SHOWN_LINES = 40


def of_tables():
    """(name, file, flags) of each model that test/end_to_end/*.toml names; in place of a file the specification of one that a function makes."""
    for table in ("models.toml", "quantized.toml"):
        for name, spec in tomllib.loads((ROOT / "test/end_to_end" / table).read_text()).items():
            flags = [*spec.get("flags", ()), *(word for dim, size in spec.get("dims", {}).items() for word in ("--dim", f"{dim}={size}"))]
            if "made" in spec:
                yield name, spec, flags
            elif not spec.get("exported") and (MODELS / spec["path"]).exists():
                yield name, MODELS / spec["path"], flags


def models(cases):
    named = list(of_tables())
    yield from named
    known = {file.resolve() for _, file, _ in named if isinstance(file, pathlib.Path)}
    others = [file for file in sorted(MODELS.rglob("*.onnx")) + sorted((ROOT / "samples").rglob("*.onnx")) if file.resolve() not in known]
    yield from ((f"{file.parent.name}-{file.stem}", file, []) for file in others)
    found = sorted(cases.glob("*/*/model.onnx"))
    yield from ((file.parent.name, file, []) for file in found[:: max(1, len(found) // CASES)])


def made(name, spec, folder):
    """The file of a model that a function makes."""
    import onnx
    from model_source import load

    file = folder / f"{name}.onnx"
    if not file.exists():
        onnx.save(load(spec, MODELS)[0], file)
    return file


class Store:
    """Files by their hash; text is kept, so that two snapshots can be compared line by line."""

    def __init__(self, folder):
        self.objects = pathlib.Path(folder) / "objects"
        self.objects.mkdir(parents=True, exist_ok=True)

    def keep(self, name, content):
        key = hashlib.sha256(content).hexdigest()
        file = self.objects / key
        if not name.endswith(".bin") and not file.exists():
            part = self.objects / f"{key}.{os.getpid()}"
            part.write_bytes(zlib.compress(content, 1))
            part.replace(file)
        return key

    def text(self, key):
        file = self.objects / key
        return zlib.decompress(file.read_bytes()).decode(errors="replace") if file.exists() else f"(bytes of hash {key})\n"


def compiled(job):
    """One compilation: what it wrote, said, ended with, and cost."""
    sinter, folder, label, file, words = job
    store = Store(folder)
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/said", "wb") as said:
            child = subprocess.Popen([sinter, "compile", str(file), "-o", "out", *words], cwd=work, stdout=said, stderr=said)
            _, status, cost = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        messages = pathlib.Path(work, "said").read_bytes().replace(str(file.parent).encode(), b"MODELS")
        files = {"messages": store.keep("messages", messages)}
        for made in sorted(pathlib.Path(work).glob("out/*")):
            files[made.name] = store.keep(made.name, made.read_bytes())
    return label, {"status": child.returncode, "files": files, "seconds": cost.ru_utime + cost.ru_stime, "KiB": cost.ru_maxrss}


def write(given):
    folder = given.folder.resolve()
    Store(folder)
    wanted = [(f"{name} {target} {options}", name, file, ("--target", target, *flags, *OPTIONS[options]))
              for name, file, flags in models(given.cases) for target in TARGETS for options in OPTIONS]  # fmt: skip
    wanted = [each for each in wanted if re.search(given.filter, each[0])]
    with tempfile.TemporaryDirectory() as own:
        own = pathlib.Path(own)
        files = {name: made(name, file, own) if isinstance(file, dict) else file for _, name, file, _ in wanted}
        jobs = [(str(given.sinter.resolve()), folder, label, files[name], words) for label, name, _, words in wanted]
        # Workers start afresh, again and again: a child's memory counts from that of the process which forks it.
        with multiprocessing.get_context("spawn").Pool(given.jobs, maxtasksperchild=4) as pool:
            index = dict(pool.imap(compiled, jobs, chunksize=8))
    (folder / "index.json").write_text(json.dumps(index, indent=1))
    ended = collections.Counter(entry["status"] for entry in index.values())
    print(f"{len(index)} compilations: " + ", ".join(f"{count} with exit status {status}" for status, count in sorted(ended.items())))


def difference(label, olds, news, old, new):
    """A line for each file that differs, and the first lines of how."""
    if old["status"] != new["status"]:
        yield f"{label}: exit status {old['status']}, now {new['status']}"
    for name in sorted({*old["files"], *new["files"]}):
        before, after = old["files"].get(name), new["files"].get(name)
        if before != after:
            yield f"{label}: {name} differs" if before and after else f"{label}: {name} is {'gone' if before else 'new'}"
            if before and after:
                lines = difflib.unified_diff(olds.text(before).splitlines(), news.text(after).splitlines(), "old", "new", lineterm="", n=1)
                yield from (f"    {line[:200]}" for _, line in zip(range(SHOWN_LINES), lines))


def compare(given):
    old, new = (json.loads((folder / "index.json").read_text()) for folder in (given.old, given.new))
    both = [label for label in old if label in new]
    alone = [label for label in {**old, **new} if (label in old) != (label in new)]
    different = 0
    for label in both:
        found = list(difference(label, Store(given.old), Store(given.new), old[label], new[label]))
        different += bool(found)
        if found and different <= given.shown:
            print("\n".join(found))
    print(f"{len(both)} compilations in both, {different} of them differ; {len(alone)} only in one")
    grown = False
    for what in ("seconds", "KiB"):
        before, after = (sum(index[label][what] for label in both) for index in (old, new))
        print(f"{what}: {before:.1f}, now {after:.1f} ({after / before:.3f})")
        grown |= after > WORST * before
    sys.exit(1 if different or alone or grown else 0)


def main():
    parser = argparse.ArgumentParser(prog="scripts/snapshot", description=__doc__)
    commands = parser.add_subparsers(required=True)
    writing = commands.add_parser("write")
    writing.add_argument("folder", type=pathlib.Path)
    writing.add_argument("--sinter", type=pathlib.Path, default=ROOT / "build/bin/sinter")
    writing.add_argument("--cases", type=pathlib.Path, default=ROOT / "build/test/conformance/cases")
    writing.add_argument("--filter", default="", help="a regular expression for 'MODEL TARGET OPTIONS'")
    writing.add_argument("--jobs", type=int, default=os.cpu_count())
    writing.set_defaults(run=write)
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=pathlib.Path)
    comparing.add_argument("new", type=pathlib.Path)
    comparing.add_argument("--shown", type=int, default=10, help="how many differences are printed")
    comparing.set_defaults(run=compare)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
