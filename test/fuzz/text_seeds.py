#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""text_seeds.py FOLDER: small tokenizers, chat templates, grammars, schemas and configurations for fuzz-text to start from, behind the byte that says which.
Those of the tests of these, and what a stranger would write to cost time or memory: FOLDER/seeds/N.text."""
import hashlib
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../compiler/tokenizer/Inputs"), os.path.join(HERE, "../compiler/chat_template/Inputs")]
import hostile as tokenizers
import templates

GRAMMARS = [
    'root ::= ("c" "d"){2} "."', 'root ::= item+ # list\nitem ::= "- " [^\\n]{1,20} "\\n" | "(" root ")"', r'root ::= [\u0041-\U0010FFFF] . "\x41\n" ("a" | "b"?)*',
    'root ::= value\nvalue ::= "{" (pair ("," pair)*)? "}" | "[" (value ("," value)*)? "]" | [0-9]+\npair ::= "\\"" [a-z]* "\\":" value',
]  # fmt: skip
SCHEMAS = [
    {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}, "age": {"type": "integer"}, "tags": {"type": "array", "items": {"enum": ["a", 1, None]}}},
     "required": ["name"], "additionalProperties": False},
    {"$defs": {"tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "value": {"type": "number"}}}}, "$ref": "#/$defs/tree"},
    {"anyOf": [{"type": ["string", "null"]}, {"type": "string", "pattern": "^[a-f]{2,4}(x|\\d+)?$"}, {"const": {"a": [1, "é"]}}]}, {"type": "array", "minItems": 1, "maxItems": 3}, True,
]  # fmt: skip
CONFIGURATIONS = [
    {"model": {"type": "whisper", "context_length": 448, "eos_token_id": [1, 2], "decoder": {"filename": "d.onnx", "head_size": 64}, "encoder": {"filename": "e.onnx"}}},
    {"max_position_embeddings": 128, "hidden_size": 64, "num_attention_heads": 4, "num_mel_bins": 80, "max_source_positions": 1500, "eos_token_id": 5, "text_config": {"head_dim": 8}},
    {"decoder_start_token_id": 3, "lang_to_id": {"<|en|>": 4, "<|de|>": 5}, "task_to_id": {"translate": 6}, "no_timestamps_token_id": 7, "suppress_tokens": [1, 2], "length_penalty": 1.5,
     "early_stopping": "never", "forced_decoder_ids": [[1, None], [2, 6]], "alignment_heads": [[0, 1], [1, 0]]},
    {"chat_template": [{"name": "default", "template": "{{ messages }}"}], "bos_token": {"content": "<s>"}, "eos_token": "</s>", "add_bos_token": True},
]  # fmt: skip


def field(number, data):
    if isinstance(data, int):
        return varint(number << 3) + varint(data)
    if isinstance(data, float):
        return varint(number << 3 | 5) + struct.pack("<f", data)
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes([*out, n])


def pieces(model, kinds=(("<unk>", 2), ("<s>", 3), ("▁a", 1), ("a", 1), ("b", 1), ("ab", 1), ("▁ab", 1), ("é", 1), ("<x>", 4))):
    """SentencePiece's file; its map of characters has one key, "A", which is "a"."""
    units = [0] * 512
    units[0] = 0x100 << 10
    units[0x100 ^ 0x41] = 0x41 | 1 << 8 | (0x41 << 10)
    units[0x100] = 0x80000000
    charsmap = struct.pack("<I", 4 * len(units)) + struct.pack(f"<{len(units)}I", *units) + b"a\0"
    made = b"".join(field(1, field(1, text.encode()) + field(2, -1.5 * i) + field(3, kind)) for i, (text, kind) in enumerate(kinds))
    return made + field(2, field(3, model) + field(35, 0)) + field(3, field(2, charsmap) + field(3, 1) + field(4, 1))


def merges(count):
    """Words of one letter more each."""
    words = ["a" * i for i in range(1, count)]
    return {"type": "BPE", "vocab": {word: i for i, word in enumerate(words)}, "merges": [[word, "a"] for word in words[:-1]]}


def main():
    folder = os.path.join(sys.argv[1], "seeds")
    os.makedirs(folder, exist_ok=True)
    good = tokenizers.GOOD
    unigram = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁", -1], ["a", -2], ["▁ab", -2.5], ["b", -3]]}
    wordpiece = {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "ab": 1, "##c": 2, "a": 3}}
    bert = {"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}, "decoder": {"type": "WordPiece"}, "model": wordpiece}
    metaspace = {"normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
                 "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
                                                              {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}, "model": unigram}  # fmt: skip
    files = [json.dumps(each) for each in (good, bert, metaspace, {"model": merges(40)})]
    files += [text for text, _, _ in tokenizers.CASES if "\xff" not in text] + [text for _, text, _, _ in tokenizers.RANK_FILES]
    seeds = [b"t" + text.encode() for text in files] + [b"t" + pieces(model) for model in (1, 2)]
    seeds += [b"c" + text.encode() for text in templates.TEMPLATES.values()]
    seeds += [b"g" + text.encode() for text in GRAMMARS]
    seeds += [b"s" + json.dumps(schema).encode() for schema in SCHEMAS]
    seeds += [b"f" + json.dumps(configuration).encode() for configuration in CONFIGURATIONS]
    for seed in seeds:
        if len(seed) <= 8192:
            with open(os.path.join(folder, hashlib.sha1(seed).hexdigest()[:16] + ".text"), "wb") as file:
                file.write(seed)


if __name__ == "__main__":
    main()
