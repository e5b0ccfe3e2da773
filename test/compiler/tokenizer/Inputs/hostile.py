# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py FOLDER COUNT MODEL: files that contradict themselves get the message that says so; files that are cut off or changed at random end with a tokenizer or
with a message, within seconds and a bounded memory."""
import base64
import copy
import json
import random
import resource
import subprocess
import sys

GOOD = {"added_tokens": [{"id": 5, "content": "<s>", "special": True}], "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex": r"\p{L}+|\s+(?!\S)|[^\s\p{L}]"}, "behavior": "Isolated"},
                                                                {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}]},
        "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                           "special_tokens": {"<s>": {"id": "<s>", "ids": [5], "tokens": ["<s>"]}}},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "unk_token": None, "vocab": {"a": 0, "b": 1, "ab": 2, "abb": 3, "c": 4}, "merges": [["a", "b"], "ab b"]}}


def changed(path, value):
    good = copy.deepcopy(GOOD)
    *path, last = path.split("/")
    at = good
    for key in path:
        at = at[int(key) if isinstance(at, list) else key]
    at[last] = value
    return json.dumps(good)


def pattern(regex):
    return changed("pre_tokenizer", {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated"})


CASES = [
    ("", "E0801", "none"), ("[]", "E0801", "no object 'model'"), ("{\"model\": 1}", "E0801", "no object 'model'"), ("[" * 100000, "E0801", "nested deeper"),
    ("{\"model\": {\"vocab\": {\"\xff\": 1}}", "E0801", ""), (json.dumps(GOOD)[:200], "E0801", ""),
    (changed("model/vocab", {"a": 0, "b": 0}), "E0801", "have one id, 0"), (changed("model/vocab", {"a": -1}), "E0801", "has no id"),
    (changed("model/vocab", {"a": 1 << 40}), "E0804", "has the id"), (changed("model/vocab", {"a" * 70000: 1}), "E0804", "bytes"),
    (changed("model/merges", [["a", "x"]]), "E0801", "'x' is no token"), (changed("model/merges", ["a b c"]), "E0801", "merge 0 is no pair"),
    (changed("model/merges", [["a", "c"]]), "E0801", "'ac' is no token"), (changed("model/merges", 3), "E0801", "no merges"),
    (changed("model/unk_token", "?"), "E0801", "'?' is no token"), (changed("model/dropout", 0.1), "E0802", "dropout"),
    (changed("model/fuse_unk", 3), "E0801", "neither true nor false"), (changed("model/type", "Other"), "E0802", "the model 'Other'"),
    (changed("model", {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.5], ["a", 1]]}), "E0801", "is there twice"),
    (changed("model", {"type": "Unigram", "unk_id": 7, "vocab": [["a", 0.5]]}), "E0801", "unk_id 7"),
    (changed("model", {"type": "Unigram", "vocab": [["a", 0.5]]}), "E0802", "without an unknown token"),
    (changed("model", {"type": "Unigram", "unk_id": 0, "vocab": [["a"]]}), "E0801", "a text and a finite score"),
    (changed("model", {"type": "Unigram", "unk_id": 0, "vocab": [["a", float("-inf")]]}).replace("-Infinity", "-1e999"), "E0801", "a finite score"),
    (changed("model", {"type": "WordPiece", "vocab": {"a": 0}}), "E0802", "without an unknown token"),
    (changed("added_tokens", [{"id": 7, "content": "a"}]), "E0801", "has the ids 0 and 7"), (changed("added_tokens", [{"id": 1, "content": "x"}]), "E0801", "have one id, 1"),
    (changed("added_tokens", [{"id": 9, "content": ""}]), "E0801", "without text"), (changed("post_processor/special_tokens/<s>/ids", [77]), "E0801", "has the id 77"),
    (changed("post_processor/special_tokens", {}), "E0801", "none of its special tokens"), (changed("post_processor", {"type": "Other"}), "E0802", "the post-processor 'Other'"),
    (changed("post_processor/single", [{"Sequence": {"id": "A"}}, {"Sequence": {"id": "B"}}]), "E0802", "not one text"),
    (changed("decoder", {"type": "Other"}), "E0802", "the decoder 'Other'"), (changed("normalizer", {"type": "Other"}), "E0802", "the normalizer 'Other'"),
    (changed("decoder", {"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "ByteLevel"}]}), "E0802", "put together"),
    (changed("pre_tokenizer", {"type": "Other"}), "E0802", "the pre-tokenizer 'Other'"),
    (changed("pre_tokenizer", {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}, {"type": "Digits"}]}), "E0802", "behind ByteLevel"),
    (changed("normalizer", {"type": "Precompiled", "precompiled_charsmap": "!"}), "E0801", "no base64"),
    (changed("normalizer", {"type": "Precompiled", "precompiled_charsmap": "/////w=="}), "E0801", "cut off"),
    (changed("normalizer", {"type": "Sequence", "normalizers": [{"type": "NFC"}] * 100}), "E0804", "more than 64 steps"),
    (changed("normalizer", {"type": "Sequence", "normalizers": [{"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 900}] * 9}), "E0804", "would make more"),
    (pattern("(a"), "E0803", "a ( without its )"), (pattern("a)"), "E0803", "a ) without its ("), (pattern("[a"), "E0803", "a [ without its ]"), (pattern("a*"), "E0803", "nothing"),
    (pattern(r"(?<=a)b"), "E0803", "a group (?< is not supported"), (pattern(r"a(?=bc)"), "E0803", "look-ahead of more than one"), (pattern(r"(a)\1"), "E0803", r"\1 is not"),
    (pattern(r"\p{Other}"), "E0803", "no set of characters"), (pattern("a{2000}"), "E0803", "repetitions"), (pattern("((((a{900}){900}){900}){900})"), "E0803", "too many parts"),
    (pattern("(a|b)*a(a|b){300}"), "E0803", "too large"), (pattern("(" * 99 + "a" + ")" * 99), "E0803", "nested deeper"), (pattern("^a"), "E0803", "'^' is not supported"),
    (pattern("(?:ab)++"), "E0803", "possessive"), (pattern("[b-a]"), "E0803", "ends in front"), (pattern("[" * 50 + "a" + "]" * 50), "E0803", "nested too deep"),
]


def in_one_bucket(count):
    """Merges that the table of pairs (compiler/tokenizer/merge_table.h) would put into one bucket by its first salt."""
    words = [chr(0x100 + i) for i in range(700)]
    vocabulary, merges, mask = {word: i for i, word in enumerate(words)}, [], (1 << 64) - 1
    for left in range(len(words)):
        for right in range(len(words)):
            mixed = (left << 32 | right) * 0x9E3779B97F4A7C15 & mask
            mixed = (mixed ^ mixed >> 29) * 0x94D049BB133111EB & mask
            if (mixed >> 32) * (count // 3 + 1) >> 32 == 0 and len(merges) < count:
                merges.append([words[left], words[right]])
                vocabulary.setdefault(words[left] + words[right], len(vocabulary))
    return {"type": "BPE", "vocab": vocabulary, "merges": merges}


def several(key, inner, parts):
    return changed(key, {"type": "Sequence", inner: parts})


# What would take all memory or no end of time, in files of some kilobytes.
CASES += [
    (several("normalizer", "normalizers", [{"type": "NFC"}] * 5000), "E0804", "more than 64 steps"), ("{\"model\": [" + "[]," * 17000000 + "[]]}", "E0801", "16777216 values"),
    (several("pre_tokenizer", "pretokenizers", [{"type": "Split", "pattern": {"Regex": r"\P{L}" * 1500}, "behavior": "Isolated"}] * 60), "E0804", "more than 4000 parts"),
    (pattern(r"\W" * 100000), "E0803", "more than 2000 parts"), (pattern("a" + "?" * 100000), "E0803", "repetitions of each other"),
    (pattern("(?:" * 6 + "){900}" * 6 + "a"), "E0803", "too many parts"),
    (several("decoder", "decoders", [{"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 50}] * 12), "E0804", "decoding makes too much text"),
    (several("decoder", "decoders", [{"type": "Replace", "pattern": {"String": "x"}, "content": "y"}] * 70), "E0804", "more than 64 decoders"),
    (changed("post_processor", {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x"}}] * 20000, "special_tokens": {"x": {"ids": [1] * 20000}}}), "E0804", "1024 tokens around"),
    (changed("normalizer", {"type": "Replace", "pattern": {"String": "ab" * 50000}, "content": ""}), "E0804", "to look for"),
]
# What such files would do to a table that is good for others.
FINE = [json.dumps({"model": in_one_bucket(300)})]

RANKS = "".join(f"{base64.b64encode(bytes([byte])).decode()} {byte}\n" for byte in range(256))
RANK_FILES = [([], RANKS, "E0802", "without its pattern"), (["--pattern", "cl100k_base"], RANKS[:500], "E0801", "have one id, 6"),
              (["--pattern", "qwen"], RANKS + "YWI= 255\n", "E0801", "have one id, 255"), (["--pattern", "qwen"], RANKS + "YQ== 300\n", "E0801", "is there twice"),
              (["--pattern", "qwen"], RANKS + "".join(f"{base64.b64encode(b'a' * (60000 + i)).decode()} {300 + i}\n" for i in range(2)), "E0804", "merges are too many"),
              (["--pattern", "qwen"], RANKS + "YQ=\n", "E0801", "line 257 is no token"), (["--pattern", "(a"], RANKS, "E0803", "without its )")]


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def run(folder, data, flags=()):
    with open(f"{folder}/file.json", "wb") as file:
        file.write(data)
    return subprocess.run(["sinter", "tokenizer", f"{folder}/file.json", "--encode", "ab <s> é 12", *flags], capture_output=True, text=True, errors="replace", timeout=60,
                          preexec_fn=limited, check=False)


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    good = json.dumps(GOOD).encode()
    said = run(folder, good)
    if said.returncode or said.stdout.split() != "5 2 5".split():
        sys.exit(f"{said}")
    for text, code, words in CASES:
        said = run(folder, text.encode("latin-1") if "\xff" in text else text.encode())
        if said.returncode != 2 or f"[{code}]" not in said.stderr or (words != "none" and words not in said.stderr):
            sys.exit(f"{text[:300]}: {code}, {words!r} are not in {said}")
    for text in FINE:
        said = run(folder, text.encode())
        if said.returncode:
            sys.exit(f"{text[:300]}: {said}")
    for flags, text, code, words in RANK_FILES:
        said = run(folder, text.encode(), flags)
        if said.returncode != 2 or f"[{code}]" not in said.stderr or words not in said.stderr:
            sys.exit(f"{flags} {text[-50:]}: {code}, {words!r} are not in {said}")
    said = run(folder, b"\n\0" * 4200000)  # pieces of SentencePiece, of which none has a text
    if said.returncode != 2 or "[E0804]" not in said.stderr:
        sys.exit(f"{said}")
    with open(sys.argv[3], "rb") as file:
        trained = file.read()
    for changes in range(60):  # SentencePiece's
        data = bytearray(trained)
        random_ = random.Random(changes)
        for _ in range(changes):
            data[random_.randrange(len(data))] = random_.randrange(256)
        said = run(folder, bytes(data[:random_.randrange(3, len(data))] if changes % 3 else data))
        if said.returncode not in (0, 2) or (said.returncode == 2 and "error:" not in said.stderr):
            sys.exit(f"SentencePiece, {changes} changes: {said}")
    random_ = random.Random(1)
    accepted = 0
    for _ in range(count):
        data = bytearray(good)
        for _ in range(random_.randrange(1, 4)):
            at = random_.randrange(len(data))
            kind = random_.randrange(4)
            if kind == 0:
                data[at] = random_.choice(b'"{}[]:,0123456789abBELPx\\()?*+-') if random_.random() < 0.8 else random_.randrange(256)
            elif kind == 1:
                del data[at:at + random_.randrange(1, 20)]
            elif kind == 2:
                end = at + random_.randrange(1, 60)
                data[at:at] = data[at:end]
            elif random_.random() < 0.3:
                del data[at:]
            if not data:
                break
        said = run(folder, bytes(data))
        if said.returncode not in (0, 2) or (said.returncode == 2 and "error:" not in said.stderr):
            sys.exit(f"{bytes(data)}: {said}")
        accepted += said.returncode == 0
    print(f"{len(CASES)} contradictions, {count} changed files, {accepted} of them still a tokenizer")


if __name__ == "__main__":
    main()
