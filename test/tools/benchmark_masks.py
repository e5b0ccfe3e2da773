#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmark_masks.py SINTER COUNT...: how long masks of a grammar take, over vocabularies of so many tokens: the commonest pieces of words in this
repository's own text, and all bytes. A text of JSON is walked token by token; each mask is asked for without a cache and with one."""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

GRAMMAR = r'''root ::= object
value ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws (string ":" ws value ("," ws string ":" ws value)*)? "}" ws
array ::= "[" ws (value ("," ws value)*)? "]" ws
string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-cA-C] [0-9a-fA-F]{3}))* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws
ws ::= | " " | "\n" [ \t]{0,20}
'''
PROGRAM = r'''#include "w.h"
#include <algorithm>
#include <cstdio>
#include <string>
#include <time.h>
#include <vector>
double now() { // the processor's time, whatever else runs
  timespec at;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
  return double(at.tv_sec) * 1e6 + double(at.tv_nsec) * 1e-3;
}
int main() {
  std::vector<uint32_t> mask(W_TOKENS / 32 + 1), cache(W_GRAMMAR_CACHE_BYTES / 4);
  std::vector<double> times[2];
  for (int round = 0; round < 3; ++round) {
    w_grammar text = {};
    const std::string all = "{\"name\": \"Tim and the dog\", \"tags\": [\"a\", \"bc d\", 12, {\"deep\": [null, true]}], \"size\": -1.5e3}";
    for (const char c : all) {
      for (int kept = 0; kept < 2; ++kept) {
        const double from = now();
        w_grammar_mask(&text, nullptr, kept ? cache.data() : nullptr, mask.data(), W_TOKENS);
        times[kept].push_back(now() - from);
      }
      if (!w_grammar_take(&text, w_token(&c, 1)))
        return 1;
    }
  }
  for (auto &each : times) {
    double sum = 0;
    for (double one : each)
      sum += one;
    std::sort(each.begin(), each.end());
    std::printf("  %s: mean %.1f us, median %.1f us, most %.1f us\n", &each == times ? "walked" : "kept", sum / double(each.size()), each[each.size() / 2], each.back());
  }
}
'''


def pieces(count):
    root = pathlib.Path(__file__).resolve().parents[2]
    counts = collections.Counter()
    listed = subprocess.run(["git", "-C", root, "ls-files", "docs", "compiler", "codegen", "templates"], capture_output=True, check=True, text=True)
    for path in (root / line for line in listed.stdout.split("\n") if line.endswith((".md", ".cpp", ".h"))):
        for word in path.read_text(encoding="utf-8", errors="ignore").split(" "):
            for begin in range(min(len(word), 8)):
                for end in range(begin + 1, min(len(word), begin + 14) + 1):
                    counts[(" " if begin == 0 and end % 2 else "") + word[begin:end]] += 1
    tokens = [chr(byte) for byte in range(32, 127)]
    tokens += [piece for piece, _ in counts.most_common(2 * count)]
    return list(dict.fromkeys(tokens))[:count]


def main():
    sinter, *counts = sys.argv[1:]
    for count in map(int, counts):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            vocabulary = {token: i + 1 for i, token in enumerate(pieces(count - 1))}
            tokenizer = {"model": {"type": "WordLevel", "vocab": {"<unk>": 0, **vocabulary}, "unk_token": "<unk>"}, "decoder": {"type": "Fuse"}}
            (folder / "t.json").write_text(json.dumps(tokenizer), encoding="utf-8")
            (folder / "g.gbnf").write_text(GRAMMAR, encoding="utf-8")
            (folder / "main.cpp").write_text(PROGRAM, encoding="utf-8")
            subprocess.run([sinter, "tokenizer", folder / "t.json", "-o", folder / "w.h", "--grammar", folder / "g.gbnf"], check=True, stdout=subprocess.DEVNULL)
            sources = [folder / each for each in ("main.cpp", "w.cpp", "w_grammar.cpp")]
            subprocess.run(["c++", "-std=c++17", "-O2", "-I", folder, *sources, "-o", folder / "run"], check=True)
            print(f"{len(vocabulary) + 1} tokens", flush=True)
            subprocess.run([folder / "run"], check=True)


if __name__ == "__main__":
    main()
