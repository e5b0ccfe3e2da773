#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_gpu.py --sinter PROGRAM [--emulated] [--out FILE.json] [MODEL.onnx...]: what scripts/test-gpu runs. Kernels (ONNX's cases of one operator each)
and nets against recordings and onnxruntime, then latencies of the nets as graph and as plain launches, with tensors on the host and on the device,
which must give the same bits, with L2 warm and flushed, beside the modelled time and what else is installed (gpu_peers.py); the small nets under
compute-sanitizer's tools; products and chains of small kernels, to calibrate the cost model (gpu_calibration.py). Writes one JSON with the device,
its driver and clocks, the date, the source's hash. --seconds bounds the whole: what there is no time for is listed as left out. --emulated does
all of it in the emulation, whose times mean nothing: to see that everything is ready. --architectures: well-known nets too, in float32 and float16, exported
by torch (gpu_architectures.py), or found in --exports as NAME.onnx and NAME.f16.onnx. --conformance PROGRAM: sinter-conformance, on each so manieth of
ONNX's cases (--every), in place of one of each operator. Programs are built several at a time (--jobs), then the GPU is measured alone: what there is
no time for are checks that take the CPU, and they can be done again."""
import argparse
import ctypes
import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys

import gpu_architectures
import gpu_calibration
from gpu_run import ROOT, Run

KERNELS = """test_matmul_2d test_gemm_all_attributes test_basic_conv_with_padding test_conv_with_strides_padding test_softmax_axis_1 test_relu
test_layer_normalization_4d_axis1 test_averagepool_2d_default test_maxpool_2d_pads test_reduce_sum_keepdims_random test_transpose_default test_gather_0
test_qlinearconv test_qlinearmatmul_2D_uint8_float32 test_attention_4d test_lstm_defaults test_convtranspose test_cast_FLOAT_to_FLOAT16 test_if
test_loop11 test_nonzero_example test_top_k test_scatter_elements_with_axis test_resize_upsample_scales_linear test_erf test_gelu_default_1""".split()
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
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


def architectures(run):
    """(name, path, what peers are told) in both precisions: made by the exporter, or found."""
    folder = run.options.exports or run.folder.name

    def both(name):
        plain, half = (os.path.join(folder, f"{name}{end}.onnx") for end in ("", ".f16"))
        if not os.path.exists(plain) and not run.options.exports:
            subprocess.run([sys.executable, f"{ROOT}/test/tools/gpu_architectures.py", name, plain], check=False, capture_output=True)
        if os.path.exists(plain) and not os.path.exists(half):
            subprocess.run([run.options.sinter, "quantize", "--fp16", plain, "-o", half], check=False, capture_output=True)
        return [(f"{name} float32", plain, ["--architecture", name]), (f"{name} float16", half, ["--architecture", name, "--half"])]

    names = gpu_architectures.ARCHITECTURES if run.options.architectures else ()
    found = [net for pair in run.many(both, [(name,) for name in names]) for net in pair]
    run.left += [name for name, path, _ in found if not os.path.exists(path)]
    return [net for net in found if os.path.exists(net[1])]


def conformance(run):
    """sinter-conformance's counts, and the cases that did not pass."""
    out = os.path.join(run.folder.name, "conformance.json")
    command = [run.options.conformance, "--cases", run.options.cases, "--target", run.target, "--cxx", run.options.cxx, "-O0", "--every", str(run.options.every)]
    done = subprocess.run([*command, "--jobs", str(run.options.jobs), "--json", out], capture_output=True, text=True, check=False, timeout=run.patience())
    print(done.stdout[-1500:], flush=True)
    with open(out, encoding="utf-8") as file:
        cases = json.load(file)
    return {"name": "conformance", "said": done.stdout[-3000:], "cases": cases}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--cases", required=True, help="the folder of ONNX's cases")
    parser.add_argument("--emulated", action="store_true")
    parser.add_argument("--out", default="gpu.json")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--peer-seconds", type=float, default=150, help="how long peers may compile, behind all else that uses the CPU")
    parser.add_argument("--sanitizer", help="compute-sanitizer, where it is in no usual place")
    parser.add_argument("--kernels", type=int, default=len(KERNELS), help="only the first so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--architectures", action="store_true")
    parser.add_argument("--exports")
    parser.add_argument("--conformance")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("models", nargs="*")
    return parser.parse_args()


def main():
    options = arguments()
    found = None if options.emulated else device()
    if not options.emulated and not found:
        sys.exit("test-gpu: no GPU here, or no driver: --emulated runs all of it in an emulation on the CPU")
    run = Run(options, f"cuda-sm_{found['sm']}" if found else "cuda-sm_80")
    nets = [("digits", os.path.join(ROOT, "samples/digits/digits.onnx"), [])]
    folder = os.environ.get("SINTER_MODELS") or os.path.join(ROOT, "../shared/models")
    nets += [(os.path.splitext(os.path.basename(path))[0], os.path.join(folder, path), []) for path in NETS if os.path.exists(os.path.join(folder, path))]
    if options.models:
        nets = [(os.path.splitext(os.path.basename(path))[0], path, []) for path in options.models]
    small = nets[:2]
    nets += architectures(run)
    result = {"version": 2, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "emulated": options.emulated, "target": run.target,
              "device": found, "clocks_before": clocks(), "source": source(), "sinter": ask(options.sinter, "--version")}  # fmt: skip

    def parts(what, work, jobs):
        return [made for made in (run.part(f"{what} of {job[0]}", work, *job) for job in jobs) if made]

    def note(**some):
        result.update(some, clocks_after=clocks(), left_out=run.left)
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)

    run.many(run.part, [(f"building {name}", run.build, path) for name, path, _ in nets])
    note(latencies=parts("latency", run.latency, [net[:2] for net in nets]), peers=[], kernels=[], nets=[], sanitizers=[])
    note(calibration=run.part("calibration", gpu_calibration.measure, run))
    waiting = [(name, run.start_peers(path, more)) for name, path, more in nets if run.has_time(f"peers of {name}")]
    cases = [(name, os.path.join(options.cases, "node", name, "model.onnx")) for name in KERNELS[: options.kernels]]
    note(kernels=[] if options.conformance else run.many(run.verify, cases))
    small += [net for net in nets if net[0].startswith("minilm")]
    checks = [(f"{tool} of {name}", run.sanitize, name, path, tool) for name, path, _ in small for tool in TOOLS]
    note(sanitizers=run.many(run.part, checks))
    run.await_peers([process for _, process in waiting], min(options.peer_seconds, run.patience() / 2))
    run.open_gate()
    note(peers=parts("peers", run.peers, waiting))
    note(nets=run.many(run.verify, [(name, path, 0.02 if "--half" in more else None) for name, path, more in nets]))
    note(conformance=run.part("conformance", conformance, run) if options.conformance else None)
    good = all(each["agrees"] for each in result["kernels"] + result["nets"])
    good = good and all(each.get("same_bits") and each["first_call_is_short"] for each in result["latencies"])
    good = good and all(each.get("clean", "absent" in each) for each in result["sanitizers"])
    failed = [case for case in (result["conformance"] or {}).get("cases", []) if case.get("outcome") in ("wrong", "failed", "broken")]
    good = good and not failed and not any("problem" in (each or {}) for each in [result["calibration"], result["conformance"], *result["peers"]])
    print(f"{'all agree' if good else 'SOMETHING DIFFERS'}; {len(run.left)} left out for lack of time; written to {options.out}")
    sys.exit(not good)


main()
