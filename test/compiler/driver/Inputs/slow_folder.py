# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""slow_folder.py FOLDER: folders with a SentencePiece file of six pieces, and what transformers saves beside one."""
import json
import os
import sys

from sentencepiece import sentencepiece_model_pb2

NORMAL, UNKNOWN, CONTROL = 1, 2, 3


def model(*first):
    proto = sentencepiece_model_pb2.ModelProto()
    proto.trainer_spec.model_type = 1
    for piece, kind in [*first, ("▁", NORMAL), ("a", NORMAL), ("b", NORMAL)]:
        proto.pieces.add(piece=piece, score=-1, type=kind)
    return proto.SerializeToString()


def write(folder, files):
    os.makedirs(folder, exist_ok=True)
    for name, value in files.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(value if isinstance(value, bytes) else json.dumps(value).encode())


def main():
    folder = sys.argv[1]
    t5 = model(("<pad>", CONTROL), ("</s>", CONTROL), ("<unk>", UNKNOWN))
    usual = model(("<unk>", UNKNOWN), ("<s>", CONTROL), ("</s>", CONTROL))
    tokens = {id_: {"content": content, "special": True} for id_, content in enumerate(["<pad>", "</s>", "<unk>"])}
    sentinels = {7 - i: {"content": f"<extra_id_{i}>", "special": True, "lstrip": True, "rstrip": True} for i in range(2)}
    write(f"{folder}/bare", {"spiece.model": t5})
    write(f"{folder}/t5", {"spiece.model": t5, "tokenizer_config.json": {"tokenizer_class": "T5Tokenizer", "extra_ids": 2, "added_tokens_decoder": tokens | sentinels,
                                                                       "additional_special_tokens": ["<extra_id_0>", "<extra_id_1>"]}})
    write(f"{folder}/older", {"spiece.model": t5, "config.json": {"model_type": "t5"}, "added_tokens.json": {"<more>": 106}})
    write(f"{folder}/mbart", {"sentencepiece.bpe.model": usual, "tokenizer_config.json": {"tokenizer_class": "MBartTokenizer"}})
    words = ["</s>", "<unk>", "<pad>", "b", "a", "é", "▁", ">>fra<<"]
    write(f"{folder}/marian", {"source.spm": usual, "target.spm": usual, "vocab.json": {word: i for i, word in enumerate(words)},
                               "tokenizer_config.json": {"tokenizer_class": "MarianTokenizer"}})


if __name__ == "__main__":
    main()
