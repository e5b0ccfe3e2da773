#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_gpu.py --sinter PROGRAM [--emulated] [--out FILE.json] [MODEL.onnx...]: what scripts/test-gpu runs. Kernels (ONNX's cases of one operator each)
and nets against recordings and onnxruntime, then latencies of the nets as graph and as plain launches, with tensors on the host and on the device,
which must give the same bits, with L2 warm and flushed, beside the modelled time and what else is installed (gpu_peers.py); the small nets under
compute-sanitizer's tools; products and chains of small kernels, to calibrate the cost model (gpu_calibration.py). Writes one JSON with the device,
its driver and clocks, the date, the source's hash. --seconds bounds the whole: what there is no time for is listed as left out. --emulated does
all of it in the emulation, whose times mean nothing: to see that everything is ready."""
import argparse
import ctypes
import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import gpu_calibration

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
KERNELS = """test_matmul_2d test_gemm_all_attributes test_basic_conv_with_padding test_conv_with_strides_padding test_softmax_axis_1 test_relu
test_layer_normalization_4d_axis1 test_averagepool_2d_default test_maxpool_2d_pads test_reduce_sum_keepdims_random test_transpose_default test_gather_0
test_qlinearconv test_qlinearmatmul_2D_uint8_float32 test_attention_4d test_lstm_defaults test_convtranspose test_cast_FLOAT_to_FLOAT16 test_if
test_loop11 test_nonzero_example test_top_k test_scatter_elements_with_axis test_resize_upsample_scales_linear test_erf test_gelu_default_1""".split()
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
FIRST_CALL_US = 100_000  # at most, behind create: nothing is loaded or compiled in a call
NETS = ["mnist-8/mnist-8.onnx", "mlperf-tiny-kws-dscnn-int8/kws_ref_model.onnx"]


def ask(*command):
    """What a program says, or nothing where it is not there."""
    if not shutil.which(command[0]):
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def device():
    """The first GPU, as its driver describes it; None without one."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    count, major, minor, sms, clock, version = (ctypes.c_int(0) for _ in range(6))
    if cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count)) or count.value == 0:
        return None
    name = ctypes.create_string_buffer(256)
    cuda.cuDeviceGetName(name, 256, 0)
    for value, attribute in ((major, 75), (minor, 76), (sms, 16), (clock, 13)):
        cuda.cuDeviceGetAttribute(ctypes.byref(value), attribute, 0)
    cuda.cuDriverGetVersion(ctypes.byref(version))
    return {"name": name.value.decode(), "sm": major.value * 10 + minor.value, "sms": sms.value, "clock_khz": clock.value, "driver_cuda": version.value}


def source():
    """The commit, and a hash of what differs from it."""
    commit = ask("git", "-C", ROOT, "rev-parse", "HEAD")
    changes = ask("git", "-C", ROOT, "diff", "HEAD") or ""
    return {"commit": commit, "changes_sha256": hashlib.sha256(changes.encode()).hexdigest() if changes else None}


def clocks():
    """As far as this machine tells: a Jetson's power mode, a server's clocks."""
    return {"nvpmodel": ask("nvpmodel", "-q"), "nvidia_smi": ask("nvidia-smi", "--query-gpu=driver_version,clocks.sm,clocks.mem,clocks.max.sm,power.limit,persistence_mode", "--format=csv")}  # fmt: skip


class Run:
    def __init__(self, options, target):
        self.options, self.target, self.left = options, target, []
        self.end = time.monotonic() + options.seconds
        self.folder, self.built = tempfile.TemporaryDirectory(), {}

    def has_time(self, what):
        if time.monotonic() < self.end:
            return True
        self.left.append(what)
        return False

    def verify(self, name, path):
        start = time.monotonic()
        command = [self.options.sinter, "verify", path, "--target", self.target, "--sets", "1" if self.options.emulated else "3"]
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
            folder = os.path.join(self.folder.name, str(len(self.built)))
            os.makedirs(folder)
            library, driver, program = f"{folder}/libm.a", f"{folder}/libgpu.so", f"{folder}/latency"
            emulated = ["--emulated-gpu", driver] if self.options.emulated else []
            commands = [
                [self.options.sinter, path, "--prefix", "m", "--target", self.target, "-o", library, *emulated],
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

    def peers(self, name, path):
        """What else runs the net here, in a process of its own."""
        command = [sys.executable, f"{ROOT}/test/tools/gpu_peers.py", path, "--runs", "3" if self.options.emulated else "300"]
        done = subprocess.run(command + (["--cpu"] if self.options.emulated else []), capture_output=True, text=True, check=False, timeout=self.patience())
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        peers = json.loads(done.stdout)
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
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=min(120.0, self.patience()))
        result = {"name": name, "tool": tool, "clean": done.returncode == 0}
        if done.returncode:
            result["said"] = (done.stdout + done.stderr)[-2000:]
        print(f"{'clean' if result['clean'] else 'REPORTS':8} {tool:10} {name}", flush=True)
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--cases", required=True, help="the folder of ONNX's cases")
    parser.add_argument("--emulated", action="store_true")
    parser.add_argument("--out", default="gpu.json")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--sanitizer", help="compute-sanitizer, where it is in no usual place")
    parser.add_argument("--kernels", type=int, default=len(KERNELS), help="only the first so many")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    found = None if options.emulated else device()
    if not options.emulated and not found:
        sys.exit("test-gpu: no GPU here, or no driver: --emulated runs all of it in an emulation on the CPU")
    target = f"cuda-sm_{found['sm']}" if found else "cuda-sm_80"
    run = Run(options, target)
    nets = [("digits", os.path.join(ROOT, "samples/digits/digits.onnx"))]
    folder = os.environ.get("SINTER_MODELS") or os.path.join(ROOT, "../shared/models")
    nets += [(os.path.splitext(os.path.basename(path))[0], os.path.join(folder, path)) for path in NETS if os.path.exists(os.path.join(folder, path))]
    if options.models:
        nets = [(os.path.splitext(os.path.basename(path))[0], path) for path in options.models]
    result = {"version": 1, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "emulated": options.emulated, "target": target,
              "device": found, "clocks_before": clocks(), "source": source(), "sinter": ask(options.sinter, "--version")}  # fmt: skip
    cases = [(name, os.path.join(options.cases, "node", name, "model.onnx")) for name in KERNELS[: options.kernels]]
    result["kernels"] = [run.verify(name, path) for name, path in cases if run.has_time(name)]
    result["nets"] = [run.verify(name, path) for name, path in nets if run.has_time(name)]
    small = nets[:2]

    def parts(what, work, jobs):
        return [made for made in (run.part(f"{what} of {job[0]}", work, *job) for job in jobs) if made]

    result["latencies"] = parts("latency", run.latency, nets)
    result["sanitizers"] = parts("sanitizers", run.sanitize, [(*net, tool) for net in small for tool in TOOLS])
    result["calibration"] = run.part("calibration", gpu_calibration.measure, run)
    result["peers"] = parts("peers", run.peers, nets)
    result["clocks_after"], result["left_out"] = clocks(), run.left
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    good = all(each["agrees"] for each in result["kernels"] + result["nets"])
    good = good and all(each.get("same_bits") and each["first_call_is_short"] for each in result["latencies"])
    good = good and all(each.get("clean", "absent" in each) for each in result["sanitizers"])
    good = good and not any("problem" in (each or {}) for each in [result["calibration"], *result["peers"]])
    print(f"{'all agree' if good else 'SOMETHING DIFFERS'}; {len(run.left)} left out for lack of time; written to {options.out}")
    sys.exit(not good)


main()
