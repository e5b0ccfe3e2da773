#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""drawn_tokens.py PREFIX: are the scores that Sampling drew from those that its attributes leave, and its tokens as often as their shares say? Outputs
of runs are in PREFIX.NAME: all (nothing left out, two seeds), likely (custom, top_p 0.6), least (top_p 0.6), kept (top_p 0.1, four at the least)."""
import glob
import sys

import numpy as np


def read(run, name):
    return np.load(glob.glob(f"{sys.argv[1]}.{run}/**/{name}.npy", recursive=True)[0])


def shares(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


def left(scores, custom, top_p, fewest, filter_value):
    order = np.argsort(-scores if custom else scores, kind="stable")
    sums = np.cumsum(shares(scores)[order])
    kept = scores.copy()
    for place, token in enumerate(order):
        if custom:
            out = place > 0 and sums[place - 1] > top_p
        else:
            out = sums[place] <= 1 - top_p and (place == 0 or place < len(scores) - fewest)
        if out:
            kept[token] = filter_value
    return kept


raw = read("all1", "filtered_logits")[0].astype(np.float64)
assert (read("all1", "sequences") == read("all1again", "sequences")).all(), "the same seed draws other tokens"
assert (read("all1", "sequences") != read("all2", "sequences")).any(), "another seed draws the same tokens"
for run, attributes in (("all1", (True, 2, 0, -1e20)), ("likely", (True, 0.6, 0, -1e20)), ("least", (False, 0.6, 0, -1e20)), ("kept", (False, 0.1, 4, -9))):
    want = left(raw, *attributes)
    got = read(run, "filtered_logits")
    assert np.allclose(got, want, rtol=1e-5), f"{run}: {got[0]} instead of {want}"
    drawn = read(run, "sequences")[:, 4]
    # The end comes as the pad token.
    expected = shares(want)
    expected = np.concatenate([[expected[0] + expected[1], 0], expected[2:]])
    often = np.bincount(drawn, minlength=len(want)) / len(drawn)
    deviation = np.sqrt(expected * (1 - expected) / len(drawn))
    assert (np.abs(often - expected) <= 5 * deviation + 1e-9).all(), f"{run}: {often} instead of {expected}"
print("all as they must be")
