# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sinter's verdicts on many models at a time, by sinter-batch: "accepted", "refused" (with a diagnostic), or "broken": a crash, an internal
error (E0901), too long, too much memory. And what becomes of an accepted one when it runs: in the interpreter, and as code under sanitizers."""
import dataclasses
import json
import os
import shutil
import subprocess
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

SECONDS, MEGABYTES = 60, 4096  # a hang is longer, also where much else runs
# Of outputs that this machine cannot hold, and of work that takes long: a model may ask for much.
TOO_MUCH = ("std::bad_alloc", "AddressSanitizer: out of memory", "AddressSanitizer: requested allocation size", "Child timed out")
CHECKS = (3, 4, 5)  # statuses (docs/output-format.md): sizes that do not fit, or are above their bound; an index out of range


@dataclasses.dataclass
class Verdict:
    word: str  # accepted, refused, broken
    why: str = ""
    run: str = ""  # ran, stopped (the generated code ended with one of CHECKS), too much (for this machine), unknown
    problem: str = ""  # what the C++ compiler or the sanitizers said of the generated code


class Compiler:
    def __init__(self, program, target="x86-64-v3", cxx="", jobs=1, flags=()):
        self.program, self.target, self.cxx, self.jobs, self.flags = program, target, cxx, jobs, flags
        self.folder = tempfile.mkdtemp(prefix="sinter-mutations-")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, number, subject, run):
        """A case of sinter-batch's list."""
        model = os.path.join(self.folder, f"{number}.onnx")
        with open(model, "wb") as file:
            file.write(subject.model.SerializeToString())
        case = {"model": model, "flags": ["--target", self.target, *self.flags, *subject.bounds()]}
        if run:
            case["out"] = os.path.join(self.folder, str(number))
            os.makedirs(case["out"])
            constants = subject.constants()
            names = [info.name for info in subject.graph.input if info.name not in constants]
            if not all(isinstance(subject.data.get(name), np.ndarray) for name in names):
                return case
            for i, name in enumerate(names):
                with open(os.path.join(case["out"], f"input_{i}.pb"), "wb") as file:
                    file.write(numpy_helper.from_array(subject.data[name], name).SerializeToString())
            case["data"] = [case["out"]]
            if run == "interpreted":
                case["interpreted"] = ["convert-nodes"]
            else:
                case["flags"] += ["-O", "0", "--cxx", self.cxx]
                case["built"], case["sanitized"] = True, run == "sanitized"
        return case

    def verdicts(self, subjects, run=""):
        """One verdict for each. `run`: "interpreted", "built" or "sanitized" runs accepted ones on their data."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        cases = "\n".join(json.dumps(self.write(number, subject, run)) for number, subject in enumerate(subjects))
        command = [self.program, "--jobs", str(self.jobs), "--seconds", str(SECONDS if run != "sanitized" else 180), "--megabytes", str(MEGABYTES)]
        result = subprocess.run(command, input=cases.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        verdicts = [Verdict("broken", "no answer") for _ in subjects]
        for line in result.stdout.splitlines():
            told = json.loads(line)
            verdicts[told["index"]] = verdict_of(told)
        return verdicts


def verdict_of(told):
    problems = [f"{problem['message']} [{problem['code']}]" for problem in told.get("problems", [])]
    why = (problems or [told.get("log", "")[-300:]])[0].replace("\n", " ")
    if told["verdict"] == "accepted":
        verdict = Verdict("accepted")
        for look in told.get("interpreted", [])[:1]:
            verdict.why = look.get("problem", "")
            verdict.run = "unknown" if verdict.why else "ran"
        built = told.get("built", {})
        verdict.problem = built.get("problem", "")
        for ended in built.get("runs", []):
            verdict.run = "ran" if "outputs" in ended else "stopped" if ended.get("status") in CHECKS else "unknown"
            if any(sign in ended.get("problem", "") for sign in TOO_MUCH):
                verdict.run = "too much"
            else:
                verdict.problem = verdict.problem or ended.get("problem", "")
        return verdict
    if told["verdict"] == "rejected" and problems and not any("[E0901]" in problem for problem in problems):
        return Verdict("refused", why)
    return Verdict("broken", f"{told['verdict']} {told.get('signal', '')}: {why}")
