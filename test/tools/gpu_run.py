# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One run of test_gpu.py: its programs, each part of it, and what there was no time for."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
FIRST_CALL_US = 100_000  # at most, behind create: nothing is loaded or compiled in a call


class Run:
    def __init__(self, options, target):
        self.options, self.target, self.left = options, target, []
        self.end = time.monotonic() + options.seconds
        self.folder, self.built, self.lock = tempfile.TemporaryDirectory(), {}, threading.Lock()

    def has_time(self, what):
        if time.monotonic() < self.end:
            return True
        self.left.append(what)
        return False

    def verify(self, name, path, tolerance=None):
        start = time.monotonic()
        command = [self.options.sinter, "verify", path, "--target", self.target, "--cxx", self.options.cxx, "--sets", "1" if self.options.emulated else "3"]
        command += ["--tolerance", str(tolerance)] if tolerance else []
        oracle = {"SINTER_PYTHON": sys.executable, **os.environ}  # this Python has onnxruntime
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=oracle)
        agrees = done.returncode == 0
        result = {"name": name, "agrees": agrees, "seconds": round(time.monotonic() - start, 1)}
        if not agrees:
            result["said"] = (done.stdout + done.stderr)[-2000:]
        print(f"{'agrees' if agrees else 'DIFFERS':8} {result['seconds']:6.1f} s  {name}", flush=True)
        return result

    def build(self, path):
        """A program of the net's library, with what it takes after the number of calls, and the net's report; made once. In emulation it takes what
        stands in for the driver."""
        if path not in self.built:
            with self.lock:
                folder = tempfile.mkdtemp(dir=self.folder.name)
            library, driver, program = f"{folder}/libm.a", f"{folder}/libgpu.so", f"{folder}/latency"
            emulated = ["--emulated-gpu", driver] if self.options.emulated else []
            commands = [
                [self.options.sinter, path, "--prefix", "m", "--target", self.target, "--cxx", self.options.cxx, "-o", library, *emulated],
                [self.options.cxx, "-std=c++17", "-O2", f"-I{folder}", f"{ROOT}/test/tools/gpu_latency.cpp", library, "-ldl", "-o", program],
            ]
            for command in commands:
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    raise RuntimeError(done.stderr[-2000:])
            with open(f"{folder}/m_report.json", encoding="utf-8") as file:
                self.built[path] = (program, [driver] if emulated else [], json.load(file))
        return self.built[path]

    def measure(self, path, calls):
        """What gpu_latency prints, and the report's modelled time and number of launches."""
        program, more, report = self.build(path)
        done = subprocess.run([program, str(calls), *more], capture_output=True, text=True, check=False, timeout=self.patience())
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        model = report["device"].get("model", {})
        return {**json.loads(done.stdout), "modelled_us": model.get("total_us"), "launches": model.get("launches", len(report["kernels"]))}

    def patience(self):
        return max(10.0, self.end - time.monotonic())

    def many(self, work, jobs):
        """All of them, several at a time; what there is no time for is left out."""
        with ThreadPoolExecutor(self.options.jobs) as pool:
            return [made for made in pool.map(lambda job: work(*job) if self.has_time(job[0]) else None, jobs) if made]

    def part(self, what, work, *arguments):
        """One part of the whole: whatever goes wrong in it is its result, and the rest goes on."""
        if not self.has_time(what):
            return None
        try:
            return work(*arguments)
        except (RuntimeError, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
            print(f"FAILED            {what}: {error}", flush=True)
            return {"name": what, "problem": str(error)}

    def latency(self, name, path):
        result = self.measure(path, 2 if self.options.emulated else 1000)
        result["name"], ways = name, result["ways"]
        result["same_bits"] = all(way["same_bits"] for way in ways)
        result["first_call_is_short"] = self.options.emulated or all(way["first_us"] < FIRST_CALL_US for way in ways)
        for way in ways:
            print(f"{way['launches']:6} {way['tensors']:7} {way['l2']:8} p50 {way['p50_us']:10.1f} us  p99 {way['p99_us']:10.1f} us  {name}", flush=True)
        if not result["same_bits"]:
            print(f"DIFFERS           ways to call {name} give other bits", flush=True)
        if not result["first_call_is_short"]:
            print(f"SLOW              the first call of {name} takes over {FIRST_CALL_US / 1000:.0f} ms", flush=True)
        return result

    def start_peers(self, path, more=()):
        """What else runs the net here, in a process of its own, which compiles at once and measures when `gate` is open."""
        command = [sys.executable, f"{ROOT}/test/tools/gpu_peers.py", path, "--gate", self.gate(), "--runs", "3" if self.options.emulated else "300", *more]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        return subprocess.Popen(command + (["--cpu"] if self.options.emulated else []), **pipes)

    def gate(self):
        folder = os.path.join(self.folder.name, "gate")
        os.makedirs(folder, exist_ok=True)
        return folder

    def await_peers(self, processes, seconds):
        """Until all have compiled, or for so long: who has not is ended."""
        end = time.monotonic() + seconds
        is_ready = lambda process: process.poll() is not None or os.path.exists(os.path.join(self.gate(), f"{process.pid}.ready"))  # noqa: E731
        while time.monotonic() < end and not all(map(is_ready, processes)):
            time.sleep(0.2)
        for process in processes:
            if not is_ready(process):
                process.kill()

    def open_gate(self):
        open(os.path.join(self.gate(), "go"), "w", encoding="utf-8").close()

    def peers(self, name, process):
        try:
            text, _ = process.communicate(timeout=self.patience())
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        if process.returncode:
            raise RuntimeError("they were not ready in time" if process.returncode < 0 else f"status {process.returncode}")
        peers = json.loads(text)
        for peer in peers:
            print(f"{peer['name']:24} " + (f"p50 {peer['p50_us']:10.1f} us" if "p50_us" in peer else f"not here: {peer['absent']}") + f"  {name}", flush=True)
        return {"name": name, "peers": peers}

    def sanitize(self, name, path, tool):
        """One of compute-sanitizer's tools over each way to call a net."""
        sanitizer = self.options.sanitizer or shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path="/usr/local/cuda/bin")
        if not sanitizer:
            return {"name": name, "tool": tool, "absent": "compute-sanitizer is not here"}
        program, more, _ = self.build(path)
        command = [sanitizer, "--tool", tool, "--error-exitcode", "66", program, "1", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=min(60.0, self.patience()))
        result = {"name": name, "tool": tool, "clean": done.returncode == 0}
        if done.returncode:
            result["said"] = (done.stdout + done.stderr)[-2000:]
        print(f"{'clean' if result['clean'] else 'REPORTS':8} {tool:10} {name}", flush=True)
        return result
