#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# slow_kernels.py --sinter PROGRAM [--below 20] [--of-call 5] [--least-us 20] MODEL|FOLDER... [-- FLAG...]: `sinter bench` on each model, and of what it says
# the kernels that reach less than --below percent of this machine's limit (multiply-adds or memory, whichever binds) and take more than --of-call percent of a
# call. Calls shorter than --least-us microseconds are left out: what they take is the call itself. What scripts/benchmark --slow runs.
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile


def models(places):
    for place in places:
        if os.path.isfile(place):
            yield place
        for folder, _, files in sorted(os.walk(place)):
            yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(".onnx"))


def answer(sinter, model, seconds, flags):
    """What bench says of a model, or a problem in words."""
    with tempfile.TemporaryDirectory() as work:
        command = [sinter, "bench", os.path.abspath(model), "--json", "--seconds", str(seconds), *flags]
        try:
            done = subprocess.run(command, capture_output=True, text=True, cwd=work, timeout=600, check=False)
        except subprocess.TimeoutExpired:
            return "bench took over ten minutes"
    try:
        said = json.loads(done.stdout)
    except ValueError:
        return (done.stderr or "bench said nothing").strip()
    return said if said["status"] == 0 else said["problems"][0]["message"]


def slow(said, options):
    call = said["call"]["min"]
    if call < options.least_us * 1e-6:
        return
    for kernel in said["kernels"]:
        share, seconds = kernel.get("share_of_peak"), kernel.get("seconds", 0)
        if share is not None and share < options.below / 100 and seconds > options.of_call / 100 * call:
            yield kernel, share, seconds / call


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="build/bin/sinter")
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--below", type=float, default=20)
    parser.add_argument("--of-call", type=float, default=5)
    parser.add_argument("--least-us", type=float, default=20)
    parser.add_argument("places", nargs="+")
    own = sys.argv[1:]
    flags = own[own.index("--") + 1 :] if "--" in own else []
    options = parser.parse_args(own[: own.index("--")] if "--" in own else own)
    kinds, measured, failed = collections.Counter(), 0, 0
    for model in models(options.places):
        said = answer(os.path.abspath(options.sinter), model, options.seconds, flags)
        if isinstance(said, str):
            failed += 1
            print(f"# {model}: {said}", flush=True)
            continue
        measured += 1
        for kernel, share, of_call in slow(said, options):
            kinds[kernel["kernel"]] += 1
            nodes = ", ".join(kernel["nodes"][:3]) + (" ..." if len(kernel["nodes"]) > 3 else "")
            print(
                f"{os.path.basename(model)}: {kernel['function']} ({kernel['kernel']}): {100 * share:.0f} % of {kernel['roof']}, "
                f"{kernel['seconds'] * 1e6:.1f} us, {100 * of_call:.0f} % of the call; {nodes}",
                flush=True,
            )
    print(f"{measured} models measured, {failed} not; {sum(kinds.values())} slow kernels: " + ", ".join(f"{n} {k}" for k, n in kinds.most_common()))


if __name__ == "__main__":
    main()
