# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One round of random nets: models and oracles' answers are made in children (an oracle may crash), sinter-batch compiles, interprets and
# runs them, the answers are compared. What comes out is a Finding for each model with which something is wrong.
import copy
import json
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import tempfile
import traceback

import makers
import onnx
from compare import Judge, read
from large import model as large_model
from net import tensor
from oracles import ORACLES, NoAnswer, Reference
from undefined import meets_nan

ORACLE_SECONDS, BATCH_SECONDS = 300, 900  # what takes longer hangs, however loaded the machine is
CLANG = next((name for name in ("clang++-19", "clang++") if shutil.which(name)), None)
with open("/proc/cpuinfo", encoding="ascii") as cpus:
    HAS_AVX512 = "avx512f" in cpus.read()  # which x86-64-v4 asks for
RUNNERS = None  # a folder for sinter-batch's runners, which then are compiled once
# Ways to compile that must not change results: one or two of them for each model, at random.
OPTIONAL_PASSES = """drop-identities fold-constants recognize-attention recognize-norms recognize-gelu raise-quantizations recognize-quantized fuse-quantized fold-pads
fold-scales scatters-as-inserts raise-slices remove-dead-channels raise-transposes split-words choose-layouts fuse-epilogues intform fit-integers fit-signs pack-integers byte-tables pack-weights
transposes-as-views fuse-elementwise tile-rows place-inserts reuse-inits drop-copies fill-halos space-rows""".split()
VARIANTS = [["--fit", "ram"], ["--fit", "speed"], ["--threads", "3"], ["--io-in-arena"], ["--target", "x86-64-v2"], ["--target", "x86-64-v3"],
            ["--weights", "cpp"], ["--ram", "fast=1K,slow"], ["--arena-limit", "192"], ["--arena-limit", "1K"], ["--arena-limit", "4K"]]  # fmt: skip
# Large nets are always built and run, for other CPUs in an emulator.
VARIANTS_OF_LARGE = [[], [], ["--target", "x86-64-v2"], ["--target", "x86-64-v3"], ["--target", "x86-64-v4"], ["--target", "x86-64-v2,x86-64-v3,x86-64-v4"],
                     ["--target", "aarch64"], ["--target", "aarch64"], ["--target", "cortex-a53"], ["--target", "cortex-a76"], ["--target", "wasm32"],
                     ["--target", "generic64"], ["--fit", "ram"], ["--fit", "speed"], ["--threads", "3"], ["--io-in-arena"],
                     ["--weights", "cpp"], ["--target", "x86-64-v3", "--fit", "ram"], ["--target", "x86-64-v3", "--threads", "4"],
                     *(["--target", f"cortex-m{name}", *fit] for name in ("4", "55", "33", "7", "3") for fit in ([], ["--fit", "ram"]))]  # fmt: skip
OPTIMIZATIONS_OF_LARGE = ["-O0"] * 9 + ["-O1"] * 3 + ["-O2", "-Os"]  # quickest built; compilers' faults are in what they optimize
FOREIGN = [["--target", "cortex-m4"], ["--target", "cortex-m55"], ["--target", "cortex-m0plus"], ["--target", "aarch64"]]


NO_ROOM = ("do not fit in the board's RAM", "will not fit in region")  # says the program, or the linker
EMULATED = ("aarch64", "cortex", "wasm")  # targets that have compilers of their own


def is_foreign(flags):
    return any(flag == "--target" and flags[i + 1].startswith(("cortex", "aarch64")) for i, flag in enumerate(flags[:-1]))


# Sinter agrees with the reference evaluator and not with onnxruntime: told, no fault. Known causes: onnxruntime's InstanceNormalization
# takes the mean off in the bias, whose rounding is large where a channel hardly varies; its Resize cuts integers off instead of rounding.
NOTE = "note: the oracles differ"
UNDEFINED = "note: a NaN of which nothing is said"
# Two carried values that change places have one shape in the data where they are [N, 4] and [6, 4], and no bound for all N.
UNBOUNDED = "note: a size that has no bound for all sizes of a symbolic dim"
# Dims of inputs that are symbols of their own may be ranks, or numbers of parts.
UNKNOWN = "note: a size that must be known at compile time"
DIED = "note: onnxruntime aborts"
TOO_LARGE = "note: needs more memory than --arena-limit, or the board"
LESSER = "note: this machine has not what the target has"
NOTES = (NOTE, UNDEFINED, UNBOUNDED, UNKNOWN, DIED, TOO_LARGE, LESSER)
# Where the interpreter runs. Behind pack-weights it does not know products any more, so that it looks before that too.
BEFORE, MIDDLE, AFTER = "convert-nodes", "fuse-epilogues", "outline-constants"


class Finding:
    """Something wrong with a model: `kind` is what findings are sorted by."""

    def __init__(self, kind, detail, flags=(), place=None):
        self.kind, self.detail, self.flags, self.place = kind, detail, list(flags), place

    def __str__(self):
        return f"{self.kind}\n    {self.detail}\n    flags: {' '.join(self.flags)}"


def answer_all(tasks, work, seconds, path):
    """In a child: the answers to `tasks`, pickled one behind the other, each written before the next task begins."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    with open(path, "wb") as out:
        for task in tasks:
            signal.alarm(seconds)
            try:
                answer = work(task)
            except BaseException:
                answer = ("failed", traceback.format_exc())
            pickle.dump(answer, out)
            out.flush()


def answers_in(path):
    with open(path, "rb") as file:
        while True:
            try:
                yield pickle.load(file)
            except (EOFError, pickle.UnpicklingError):
                return


def in_children(tasks, jobs, work, seconds=ORACLE_SECONDS):
    """Calls work(task) in forked children, which take some tasks each; yields (task, result or None if the child died of it)."""
    tasks = list(tasks)
    share = max(1, -(-len(tasks) // (4 * jobs)))
    waiting = [tasks[i : i + share] for i in range(0, len(tasks), share)][::-1]
    running = {}
    while running or waiting:
        while waiting and len(running) < jobs:
            some = waiting.pop()
            handle, path = tempfile.mkstemp(prefix="answers_")
            os.close(handle)
            pid = os.fork()
            if pid == 0:
                answer_all(some, work, seconds, path)
                os._exit(0)
            running[pid] = (some, path)
        pid = next(iter(running))  # by its number: who reads our answers may have children of his own
        os.waitpid(pid, 0)
        some, path = running.pop(pid)
        told = list(answers_in(path))
        os.remove(path)
        yield from zip(some, told)
        if len(told) < len(some):
            yield some[len(told)], None
            if some[len(told) + 1 :]:
                waiting.append(some[len(told) + 1 :])


def write_case(folder, proto, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(proto.SerializeToString())
    for number, inputs in enumerate(data):
        place = os.path.join(folder, f"data_{number}")
        os.makedirs(place, exist_ok=True)
        for i, value in enumerate(inputs):
            with open(os.path.join(place, f"input_{i}.pb"), "wb") as file:
                file.write(tensor(value, proto.graph.input[i].name).SerializeToString())


def answers(proto, data):
    """(oracle's name, outputs per call), or the problem of each oracle."""
    problems = []
    for oracle in ORACLES:
        try:
            asked = oracle(proto)
            return oracle.__name__, [asked.run(inputs) for inputs in data]
        except NoAnswer as problem:
            problems.append(str(problem))
    return None, problems


def prepare(folder, proto, data):
    """Writes a case with what an oracle says of it; the flags and the oracle's name."""
    name, expected = answers(proto, data)
    write_case(folder, proto, data)
    with open(os.path.join(folder, "expected.pkl"), "wb") as file:
        pickle.dump((name, expected, proto.SerializeToString(), data), file)
    return name, expected if name is None else None


def declare(folder, proto):
    """Declares outputs with the shapes that the oracle has. Inference is at times wrong about them (of LpPool with ceil_mode), and Sinter
    refuses a model whose declared outputs contradict."""
    with open(os.path.join(folder, "expected.pkl"), "rb") as file:
        name, expected, _, data = pickle.load(file)
    for info, value in zip(proto.graph.output, expected[0]):
        for dim, size in zip(info.type.tensor_type.shape.dim, value.shape):
            dim.dim_value = size
    write_case(folder, proto, data)
    with open(os.path.join(folder, "expected.pkl"), "wb") as file:
        pickle.dump((name, expected, proto.SerializeToString(), data), file)


def static(proto, inputs):
    """The model with the sizes that these inputs have."""
    proto = copy.deepcopy(proto)
    for info, value in zip(proto.graph.input, inputs):
        for dim, size in zip(info.type.tensor_type.shape.dim, value.shape):
            dim.dim_value = size
    return proto


def fits(proto, inputs):
    """Whether ONNX's inference finds no contradiction: onnxruntime looks over it where a tensor has no elements."""
    try:
        onnx.shape_inference.infer_shapes(static(proto, inputs), strict_mode=True, data_prop=True)
        return True
    except onnx.shape_inference.InferenceError:
        return False


def make_case(seed, folder, is_large):
    model = (large_model if is_large else makers).make(seed)
    name, problems = prepare(folder, model.proto, model.data)
    if name is None and is_large and len(model.data) > 1:  # of other sizes windows may have no elements
        model.data = [inputs for inputs in model.data if answers(model.proto, [inputs])[0]] or model.data[:1]
        name, problems = prepare(folder, model.proto, model.data)
    if name is not None and not model.symbolic and not model.free:
        declare(folder, model.proto)
    misfits = [fits(model.proto, inputs) for inputs in model.data].count(False) if model.symbolic and name is not None else 0
    if model.symbolic and (name is None or 0 < misfits < len(model.data)):  # valid for one size only
        model.proto = static(model.proto, model.data[0])
        model.symbolic, model.data = False, model.data[:1]
        name, problems = prepare(folder, model.proto, model.data)
    return {"flags": model.flags(), "large": model.large, "oracle": name, "problems": problems, "nodes": len(model.proto.graph.node), "calls": len(model.data)}


def line(folder, flags, number, data_count, built, sanitized=False, interpreted=(MIDDLE, AFTER)):
    out = os.path.join(folder, f"out_{number}")
    os.makedirs(out, exist_ok=True)
    optimization = [] if any(flag.startswith("-O") for flag in flags) else ["-O0"]
    return {"model": os.path.join(folder, "model.onnx"), "flags": [*optimization, *flags], "out": out, "built": built, "sanitized": sanitized,
            "data": [os.path.join(folder, f"data_{i}") for i in range(data_count)], "interpreted": list(interpreted)}  # fmt: skip


def batch(program, lines, jobs, work):
    """sinter-batch's answers, in the order of the lines."""
    path = os.path.join(work, "batch.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in lines)
    kept = ["--cache", RUNNERS] if RUNNERS else []
    done = subprocess.run([program, "--jobs", str(jobs), "--seconds", str(BATCH_SECONDS), "--megabytes", "4096", *kept, path], stdout=subprocess.PIPE, check=True, text=True)
    results = [None] * len(lines)
    for text in done.stdout.splitlines():
        result = json.loads(text)
        results[result["index"]] = result
    return results


def plain(message):
    """A message without what is this model's own."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|sinter-[0-9a-f]+|\d+", "_", message)


def verdict_finding(result, flags):
    problems = result.get("problems") or [{"code": "", "message": result.get("log", "")[-300:], "operator": "", "node": ""}]
    first = problems[0]
    if result["verdict"] == "rejected":
        if first["code"] == "E0508" and "--arena-limit" in flags:
            return Finding(TOO_LARGE, first["message"], flags)
        if first["code"] == "E0308" and "--dim" in flags:
            return Finding(UNBOUNDED, first["message"], flags)
        if first["code"] == "E0301" and any(flag == "--dim" and not flags[i + 1].startswith(f"{makers.SYMBOL}=") for i, flag in enumerate(flags)):
            return Finding(UNKNOWN, first["message"], flags)
        return Finding(f"refused {first['code']} {first['operator']}: {plain(first['message'])}", first["message"], flags)
    return Finding(f"{result['verdict']} {first['code']}: {plain(first['message'])[:160]}", result.get("log", "")[-600:] or first["message"], flags)


def stages(result, one):
    """(stage, number of the call, outputs' stem or None, problem) of all that sinter-batch ran."""
    for told in result.get("interpreted", []):
        stem = os.path.join(one["out"], f"pass{told['place']}_set{told['set']}")
        yield f"{told['pass']}", told["set"], stem, told.get("problem")
    built = result.get("built", {})
    if "problem" in built:
        yield "built", 0, None, built["problem"]
    for i, run in enumerate(built.get("runs", [])):
        problem = run.get("problem") or (f"status {run['status']}" if "status" in run else None)
        yield "built", i, os.path.join(one["out"], f"built_set{i}"), problem


def judge(folder, one, result):
    """A Finding, or None. Runs in a child."""
    with open(os.path.join(folder, "expected.pkl"), "rb") as file:
        name, expected, text, data = pickle.load(file)
    model = onnx.load_from_string(text)
    judges = [Judge(model, inputs, outputs) for inputs, outputs in zip(data, expected)]
    second = note = None
    for stage, call, stem, problem in stages(result, one):
        if problem and problem.startswith("cannot run"):
            continue  # kernels that the interpreter does not know: the built program says
        if problem and "x86-64-v4" in one["flags"] and not HAS_AVX512:
            return Finding(LESSER, problem, one["flags"], (stage, call))
        if problem and any(words in problem for words in NO_ROOM):
            return Finding(TOO_LARGE, problem[-300:], one["flags"])
        if problem:
            return Finding(f"{stage}: {plain(problem)[:200]}", problem[-1500:], one["flags"], (stage, call))
        outputs = [read(f"{stem}_{i}.npy", value.dtype) for i, value in enumerate(expected[call])]
        differs = judges[call].differs(outputs)
        if not differs:
            continue
        operators = ",".join(sorted({node.op_type for node in model.graph.node}))
        if meets_nan(model, data[call]):
            return note or Finding(UNDEFINED, f"output {differs[0]}: {differs[1]} ({operators})", one["flags"], (stage, call))
        if name != "Reference":  # a fault is what agrees with no oracle
            try:
                second = second or Reference(model)
                if not Judge(model, data[call], second.run(data[call])).differs(outputs):
                    if note is None:
                        note = Finding(NOTE, f"output {differs[0]}: {differs[1]} ({operators})", one["flags"], (stage, call))
                    continue
            except NoAnswer:
                pass
        return Finding(f"differs at {stage}", f"output {differs[0]}: {differs[1]} ({operators}), by {name}", one["flags"], (stage, call))
    return note


class Round:
    """Seeds through all of it. `built`: the share of ways to compile that are built and run, twice of those that the interpreter
    cannot run behind the passes, and all that it cannot run before them. `large`: the share of nets that are large."""

    def __init__(self, program, work, jobs, built, variants, sanitized, large):
        self.program, self.work, self.jobs, self.built, self.variants, self.sanitized = program, work, jobs, built, variants, sanitized
        self.large = large
        self.counts = {"models": 0, "compiled": 0, "run": 0, "nodes": 0, "no oracle": 0}

    def is_large(self, seed):
        return random.Random(f"large {seed}").random() < self.large

    def variant(self, rng):
        if rng.random() < 0.4:
            return [f"--disable-pass={name}" for name in rng.sample(OPTIONAL_PASSES, rng.randint(1, 3))]
        return rng.choice(VARIANTS)

    def cxx(self, rng):
        """Mostly Clang, which makes unoptimized kernels in half the time."""
        return ["--cxx", CLANG] if CLANG and rng.random() < 0.8 else []

    def lines_of_large(self, rng, folder, told):
        """Ways to compile, each by the target's own compiler or Clang; at times with sanitizers, for this machine."""
        for number, flags in enumerate(rng.sample(VARIANTS_OF_LARGE, 1 + self.variants)):
            sanitized = CLANG is not None and rng.random() < self.sanitized
            flags = [] if sanitized else flags
            emulated = any(flag.startswith(EMULATED) for flag in flags)
            optimization = "-O0" if sanitized else rng.choice(OPTIMIZATIONS_OF_LARGE)
            cxx = ["--cxx", CLANG] if CLANG and not emulated and (optimization == "-O0" or rng.random() < 0.5) else []
            yield line(folder, [optimization, *told["flags"], *flags, *cxx], number, told["calls"], True, sanitized, [])

    def run(self, seeds):
        """Yields (seed, folder, Finding)."""
        cases = {}
        for seed, told in in_children(seeds, self.jobs, lambda seed: make_case(seed, self.folder(seed), self.is_large(seed))):
            self.counts["models"] += 1
            if not told or isinstance(told, tuple):
                yield seed, self.folder(seed), Finding("no model: " + told[1][-200:] if told else DIED, "")
            elif told["oracle"] is None:
                self.counts["no oracle"] += 1
            else:
                self.counts["nodes"] += told["nodes"]
                cases[seed] = told
        lines, owners = [], []
        for seed, told in cases.items():
            rng = random.Random(seed)
            folder = self.folder(seed)
            count = told["calls"]
            if told["large"]:
                lines += self.lines_of_large(rng, folder, told)
                owners += [seed] * (len(lines) - len(owners))
                continue
            sanitized = CLANG is not None and rng.random() < self.sanitized
            flags = [*told["flags"], *(["--cxx", CLANG] if sanitized else self.cxx(rng))]
            lines.append(line(folder, flags, 0, count, rng.random() < self.built, sanitized, [BEFORE, MIDDLE, AFTER]))
            for number in range(self.variants):
                lines.append(line(folder, [*flags, *self.variant(rng)], number + 1, count, rng.random() < self.built))
            if rng.random() < 0.15:
                lines.append(line(folder, [*told["flags"], *rng.choice(FOREIGN)], 9, count, False))
            owners += [seed] * (len(lines) - len(owners))
        results = batch(self.program, lines, self.jobs, self.work)
        self.build_unknown(lines, results)
        self.counts["compiled"] += len(lines)
        self.counts["run"] += sum(len(result.get("built", {}).get("runs", [])) > 0 for result in results)
        accepted = []
        for seed, one, result in zip(owners, lines, results):
            if result["verdict"] != "accepted":
                yield seed, self.folder(seed), verdict_finding(result, one["flags"])
            accepted.append((seed, one, result))
        for (seed, one, _), found in in_children(accepted, self.jobs, lambda task: judge(self.folder(task[0]), task[1], task[2])):
            if isinstance(found, tuple):
                yield seed, self.folder(seed), Finding("not judged", found[1][-600:], one["flags"])
            elif found:
                yield seed, self.folder(seed), found

    def build_unknown(self, lines, results):
        """What the interpreter cannot run behind the passes is built."""
        unknown = []
        for i, (one, result) in enumerate(zip(lines, results)):
            told = {t["pass"] for t in result.get("interpreted", []) if t.get("problem", "").startswith("cannot run")}
            if one["built"] or is_foreign(one["flags"]) or not told:
                continue
            if BEFORE in told or random.Random(one["out"]).random() < self.built:
                unknown.append(i)
        for i in unknown:
            lines[i]["built"] = True
        for i, result in zip(unknown, batch(self.program, [lines[i] for i in unknown], self.jobs, self.work)):
            results[i] = result

    def folder(self, seed):
        return os.path.join(self.work, f"seed_{seed}")
