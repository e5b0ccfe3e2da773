#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_gpu.py SINTER CASES MODEL: scripts/test-gpu without a GPU: the whole of it in emulation, with a compute-sanitizer that finds a race and no other error.
Each part must be there in the JSON, a report must fail the run, and a run without time lists what it left out."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SINTER, CASES, MODEL = sys.argv[1:4]
TOOL = pathlib.Path(__file__).resolve().parents[1] / "tools/test_gpu.py"
FAKE = """#!/bin/sh
# compute-sanitizer --tool NAME --error-exitcode N PROGRAM...
tool=$2; shift 4; "$@" > /dev/null || exit 1
[ $tool != racecheck ] || { echo '========= Error: Race reported'; exit 66; }
"""


def run(folder, *more):
    sanitizer, out = os.path.join(folder, "compute-sanitizer"), os.path.join(folder, "gpu.json")
    pathlib.Path(sanitizer).write_text(FAKE)
    os.chmod(sanitizer, 0o755)
    command = [sys.executable, TOOL, "--sinter", SINTER, "--cases", CASES, "--emulated", "--out", out, "--sanitizer", sanitizer, *more, MODEL]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    with open(out, encoding="utf-8") as file:
        return done, json.load(file)


def expect(what, is_so):
    if not is_so:
        sys.exit(f"not so: {what}")


with tempfile.TemporaryDirectory() as folder:
    done, result = run(folder, "--kernels", "1")
    print(done.stdout)
    expect("a report of a sanitizer fails the run", done.returncode == 1 and "SOMETHING DIFFERS" in done.stdout)
    expect("the device, its clocks, the date, the source", all(key in result for key in ("device", "clocks_before", "clocks_after", "date", "source", "sinter")))
    expect("kernels and nets agree", all(each["agrees"] for each in result["kernels"] + result["nets"]) and result["kernels"] and result["nets"])
    ways = result["latencies"][0]["ways"]
    expect("each way", {(way["launches"], way["tensors"], way["l2"]) for way in ways} == {("graph", "host", "warm"), ("plain", "host", "warm"), ("graph", "device", "warm"), ("plain", "device", "warm"), ("graph", "device", "flushed")})  # fmt: skip
    expect("the same bits, and the model's time", result["latencies"][0]["same_bits"] and result["latencies"][0]["launches"] > 0)
    clean = {each["tool"]: each["clean"] for each in result["sanitizers"]}
    expect("the four tools", clean == {"memcheck": True, "racecheck": False, "initcheck": True, "synccheck": True})
    expect("what racecheck says", "Race reported" in result["sanitizers"][1]["said"])
    expect("calibration", result["calibration"]["copy_gbytes_per_second"] > 0 and len(result["calibration"]["products"]) == 2)
    peers = {peer["name"]: peer for peer in result["peers"][0]["peers"]}
    expect("onnxruntime", "p50_us" in peers["onnxruntime"] and set(peers) == {"onnxruntime", "torch", "torch graph", "torch max-autotune"})
    expect("nothing left out", result["left_out"] == [])

    done, result = run(folder, "--kernels", "1", "--seconds", "0")
    expect("without time everything is left out", done.returncode == 0 and len(result["left_out"]) >= 8 and result["calibration"] is None)
