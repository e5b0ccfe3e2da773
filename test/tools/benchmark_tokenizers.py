#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# benchmark_tokenizers.py FOLDER [CXX]: compiled tokenizers beside the package tokenizers, on one thread: megabytes of text per second, and a megabyte of one
# letter. `sinter` is taken from PATH.
import os
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../compiler/tokenizer/Inputs"))
import recipes  # noqa: E402
import texts  # noqa: E402
from emitted import Emitted  # noqa: E402


def seconds(call):
    best = 1e9
    for _ in range(3):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def main():
    folder, cxx = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "c++"
    lines = list(texts.corpus(7, 4000))
    megabytes = sum(len(line.encode()) for line in lines) / 1e6
    letters = "a" * 1000000
    print("tokenizer     sinter MB/s  tokenizers MB/s  decoding  tokenizers   1 MB of a: sinter  tokenizers")
    for make in (recipes.gpt2, recipes.llama3, recipes.llama2, recipes.bert, recipes.t5):
        tokenizer = make()
        tokenizer.save(f"{folder}/{make.__name__}.json")
        ours = Emitted(f"{folder}/{make.__name__}.json", f"{folder}/{make.__name__}", cxx)
        ids = [ours.encode(line) for line in lines]
        times = [seconds(lambda: [ours.encode(line) for line in lines]), seconds(lambda: [tokenizer.encode(line).ids for line in lines]),
                 seconds(lambda: [ours.decode(line) for line in ids]), seconds(lambda: [tokenizer.decode(line) for line in ids])]
        long = seconds(lambda: ours.encode(letters)), seconds(lambda: tokenizer.encode(letters))
        rates = [megabytes / t for t in times]
        print(f"{make.__name__:12} {rates[0]:12.1f} {rates[1]:16.1f} {rates[2]:9.1f} {rates[3]:11.1f} {long[0]:16.3f} s {long[1]:9.3f} s")


if __name__ == "__main__":
    main()
