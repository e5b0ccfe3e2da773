# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""characters_equal.py FOLDER CXX: sets of characters that pre-tokenizers name have the characters that they have in the package tokenizers, of all that
Unicode 14 has; and BERT's normalizer puts blanks around the same ideographs."""
import os
import sys
import unicodedata

from emitted import Emitted
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

ASSIGNED = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000 and unicodedata.category(chr(c)) not in ("Cn", "Co")]
CLASSES = (r"\w", r"\d", r"\s", r"\p{L}", r"\p{M}", r"\p{N}", r"\p{P}", r"\p{S}", r"\p{Lu}", r"\p{Nd}", r"\W",
           r"[\w']", r"[^\W_]", r"[\W0-9]", r"[\d.]", r"[\s.]", r"(?i)\p{Lu}", r"(?i)[\p{Ll}]", r"(?i)[\p{Lt}]", r"(?i)[\p{M}]", r"(?i)[\p{L}!]", r"(?i)[\w]")
FEW = 16  # characters of a text: their pieces are counted


def left_by(pattern):
    """Each character that is not of the set is a piece."""
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "removed"), pre_tokenizers.Split(Regex(r"[\x{0}-\x{10ffff}]"), "isolated")])


def compare(name, pre_tokenizer, between, folder, cxx):
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.save(f"{folder}/tokenizer.json")
    emitted = Emitted(f"{folder}/tokenizer.json", f"{folder}/{name}", cxx)
    inputs = [between.join(["", *ASSIGNED[i:i + FEW], ""]) for i in range(0, len(ASSIGNED), FEW)]
    for text, theirs in zip(inputs, tokenizer.encode_batch(inputs)):
        ours = len(emitted.encode(text))
        if ours != len(theirs.ids):
            sys.exit(f"{name}: {ours}, not {len(theirs.ids)} pieces of {text!r}")


def compare_normalizer(name, normalizer, folder, cxx):
    """By tokens that are bytes: decoding gives the text as it was normalized."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({sign: i for i, sign in enumerate(alphabet)}, []))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False), decoders.ByteLevel()
    tokenizer.save(f"{folder}/tokenizer.json")
    emitted = Emitted(f"{folder}/tokenizer.json", f"{folder}/{name}", cxx)
    for i in range(0, len(ASSIGNED), FEW):
        text = "".join(ASSIGNED[i:i + FEW])
        ours, theirs = emitted.decode(emitted.encode(text)), normalizer.normalize_str(text)
        if ours != theirs:
            sys.exit(f"{name}: {text!r} becomes {ours!r}, not {theirs!r}")
    return os.path.getsize(f"{folder}/{name}/tok.cpp")


def main(folder, cxx):
    for i, pattern in enumerate(CLASSES):
        compare(f"class{i}", left_by(pattern), "", folder, cxx)
    for make in (pre_tokenizers.Whitespace, pre_tokenizers.WhitespaceSplit, pre_tokenizers.Punctuation, pre_tokenizers.Digits, pre_tokenizers.BertPreTokenizer):
        compare(make.__name__, make(), "a", folder, cxx)
    bare = compare_normalizer("bare", normalizers.BertNormalizer(False, False, False, False), folder, cxx)
    spaced = compare_normalizer("spaced", normalizers.BertNormalizer(False, True, False, False), folder, cxx)
    if spaced > bare + 20000:
        sys.exit(f"blanks around ideographs take {spaced - bare} bytes of source")


if __name__ == "__main__":
    main(*sys.argv[1:])
