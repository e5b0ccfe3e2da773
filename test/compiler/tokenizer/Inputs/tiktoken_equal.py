# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tiktoken_equal.py FOLDER CXX COUNT: files of ranks, with each named pattern, give the ids that the package tiktoken gives. The patterns are tiktoken's own spelling
of what tiktoken_patterns.def has in ours."""
import base64
import random
import sys

import recipes
import texts
import tiktoken
from byte_alphabet import bytes_of
from emitted import Emitted

CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
PATTERNS = {
    "r50k_base": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    "cl100k_base": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    "o200k_base": recipes.O200K, "qwen": recipes.QWEN2}


def main():
    folder, cxx, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    vocabulary = recipes.gpt2().get_vocab(with_added_tokens=False)
    words = sorted((i, bytes_of(word)) for word, i in vocabulary.items() if word not in recipes.SPECIAL)
    ranks = {word: rank for rank, (_, word) in enumerate(words)}
    file = f"{folder}/ranks.tiktoken"
    with open(file, "w", encoding="ascii") as out:
        out.writelines(f"{base64.b64encode(word).decode()} {rank}\n" for word, rank in ranks.items())
    special = {"r50k_base": 50256, "cl100k_base": 100257, "o200k_base": 199999, "qwen": 151643}
    for name, pattern in PATTERNS.items():
        theirs = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": special[name]})
        ours = Emitted(file, f"{folder}/{name}", cxx, ["--pattern", name])
        random_ = random.Random(name)
        for text in [*texts.HOSTILE, *(texts.text(random_, ["<|endoftext|>"]) for _ in range(count))]:
            expected = theirs.encode(text, allowed_special="all")
            if ours.encode(text) != expected:
                sys.exit(f"{name}: {text!r}\n  {ours.encode(text)}\n  {expected}")
            if ours.decode(expected, 1) != theirs.decode(expected):
                sys.exit(f"{name}: decoding {expected}")
            plain = theirs.encode(text, disallowed_special=())
            if ours.encode(text, 2) != plain:
                sys.exit(f"{name}: plain {text!r}")
        print(f"{name}: {count + len(texts.HOSTILE)} texts are equal")


if __name__ == "__main__":
    main()
