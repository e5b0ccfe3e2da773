#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# random_nets.py --batch build/bin/sinter-batch [--seed S] [--count N] [--minutes T] [--keep FOLDER]: random valid models through the
# compiler, against onnxruntime, ONNX's reference evaluator, and Sinter's own other ways to compile. Prints its seed; fails on findings,
# each made small (reduce.py) and kept as a reproduction. Hours at will: --minutes 600.
import argparse
import collections
import os
import shutil
import sys
import tempfile
import time
import warnings

sys.dont_write_bytecode = True
warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import hunt  # noqa: E402
import makers  # noqa: E402
from hunt import NOTES, Round  # noqa: E402
from large import model as large_model  # noqa: E402
from reduce import reduce  # noqa: E402

PER_ROUND, LARGE_PER_ROUND = 40, 4  # a round ends before the clock is looked at
SECONDS_PER_LINE = 300


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", required=True, help="the program sinter-batch")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"), help="of the first model; the others follow")
    parser.add_argument("--count", type=int, default=1 << 40)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no new round begins after that")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--built", type=float, default=0.2, help="the share whose generated code is built and run")
    parser.add_argument("--sanitized", type=float, default=0.0, help="the share of these that is built with sanitizers")
    parser.add_argument("--variants", type=int, default=1, help="other ways to compile each model")
    parser.add_argument("--keep", help="folder for reproductions")
    parser.add_argument("--each", type=int, default=3, help="how many findings of a kind are made small")
    parser.add_argument("--large", type=float, default=0.1, help="the share of nets that are large (large/model.py), which take a hundred times as long")
    parser.add_argument("--families", nargs="*", choices=[*makers.FAMILIES, *large_model.FAMILIES], help="operators of these files only")
    given = parser.parse_args()
    if given.families:
        for module in (makers, large_model):
            module.FAMILIES = {name: family for name, family in module.FAMILIES.items() if name in given.families}
        given.large = 0 if not large_model.FAMILIES else given.large if makers.FAMILIES else 1
    return given


def main():
    given = arguments()
    print(f"random nets from seed {given.seed}", flush=True)
    work = tempfile.mkdtemp(prefix="random_nets_")
    hunt.RUNNERS = os.path.join(work, "runners")
    os.makedirs(hunt.RUNNERS)
    kinds = collections.Counter()
    begin = told = time.time()
    rounds = Round(given.batch, work, given.jobs, given.built, given.variants, given.sanitized, given.large)
    per_round = min(PER_ROUND, round(LARGE_PER_ROUND / given.large) if given.large else PER_ROUND)
    seed = given.seed
    while time.time() - begin < 60 * given.minutes and seed < given.seed + given.count:
        seeds = range(seed, min(seed + per_round, given.seed + given.count))
        for found_seed, folder, finding in rounds.run(seeds):
            kind = finding.kind
            if kinds[kind] < given.each and kind not in NOTES:
                print(f"seed {found_seed}: {finding}", flush=True)
                if given.keep and os.path.exists(os.path.join(folder, "expected.pkl")):
                    kind = reduce(given.batch, folder, finding, os.path.join(given.keep, f"seed_{found_seed}_{kinds.total()}"))
            kinds[kind] += 1
        for done in seeds:
            shutil.rmtree(rounds.folder(done), ignore_errors=True)
        seed = seeds[-1] + 1
        if time.time() - told > SECONDS_PER_LINE:
            told = time.time()
            print(f"so far, before seed {seed}: {rounds.counts}, findings {dict(kinds)}", flush=True)
    shutil.rmtree(work, ignore_errors=True)
    print(f"{rounds.counts} in {time.time() - begin:.0f} s")
    for kind, count in kinds.most_common():
        print(f"{count:6d}  {kind}")
    return 1 if any(kind not in NOTES for kind in kinds) else 0


if __name__ == "__main__":
    sys.exit(main())
