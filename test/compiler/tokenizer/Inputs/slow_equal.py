# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""slow_equal.py FOLDER CXX COUNT [--transformers] [RECIPE]: SentencePiece files with the configuration that transformers saves beside them give the ids and
texts of its slow classes."""
import ctypes
import io
import json
import os
import random
import sys

import sentencepiece
import slow_rules
import texts
from emitted import Emitted


def added(content, special=True, strips=False):
    return {"content": content, "lstrip": strips, "rstrip": strips, "normalized": False, "single_word": False, "special": special}


SENTINELS = [f"<extra_id_{i}>" for i in range(10)]
T5_IDS = {"unk_id": 2, "bos_id": -1, "eos_id": 1, "pad_id": 0}
T5 = {"tokenizer_class": "T5Tokenizer", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", "extra_ids": 10,
      "additional_special_tokens": SENTINELS}
LLAMA = {"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
IDENTITY = {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity", "remove_extra_whitespaces": False}


def of_t5(count):
    return {0: added("<pad>"), 1: added("</s>"), 2: added("<unk>")} | {count + 9 - i: added(name, strips=True) for i, name in enumerate(SENTINELS)}


def of_llama(count):
    return {0: added("<unk>"), 1: added("<s>"), 2: added("</s>"), count: added("<|user|>")}


def of_roberta(count):
    mask = added("<mask>") | {"lstrip": True}
    return {0: added("<s>"), 1: added("<pad>"), 2: added("</s>"), 3: added("<unk>"), count + 1: mask}


def of_gemma(_):
    return {0: added("<pad>"), 1: added("<eos>"), 2: added("<bos>"), 3: added("<unk>")}


# File, options of training, configuration, added tokens by the count of pieces
RECIPES = {
    "t5": ("spiece.model", {"model_type": "unigram", **T5_IDS}, T5, of_t5),
    "t5_new": ("spiece.model", {"model_type": "unigram", **T5_IDS}, T5 | {"legacy": False}, of_t5),
    "llama": ("tokenizer.model", IDENTITY, LLAMA, of_llama),
    "llama_new": ("tokenizer.model", IDENTITY, LLAMA | {"legacy": False, "add_eos_token": True}, of_llama),
    "llama_bare": ("tokenizer.model", IDENTITY, LLAMA | {"legacy": False, "add_bos_token": False, "add_prefix_space": False}, of_llama),
    "gemma": ("tokenizer.model", IDENTITY | {"add_dummy_prefix": False, "pad_id": 0, "eos_id": 1, "bos_id": 2, "unk_id": 3, "bos_piece": "<bos>",
                                             "eos_piece": "<eos>"},
              {"tokenizer_class": "GemmaTokenizer", "bos_token": "<bos>", "eos_token": "<eos>", "unk_token": "<unk>", "pad_token": "<pad>"}, of_gemma),
    "roberta": ("sentencepiece.bpe.model", {"model_type": "unigram"},
                {"tokenizer_class": "XLMRobertaTokenizer", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>",
                 "sep_token": "</s>", "cls_token": "<s>", "mask_token": added("<mask>") | {"lstrip": True, "__type": "AddedToken"}}, of_roberta),
    "marian": ("source.spm", {"model_type": "unigram"},
               {"tokenizer_class": "MarianTokenizer", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", "source_lang": "en", "target_lang": "de"},
               lambda _: {0: added("</s>"), 1: added("<unk>"), 2: added("<pad>")}),
}


def train(file, seed, options):
    """The pieces."""
    model, random_ = io.BytesIO(), random.Random(seed)
    lines = [*texts.corpus(seed, 500), *(texts.text(random_).replace("\0", " ") for _ in range(1500))]
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=model, vocab_size=900, character_coverage=0.98,
                                             hard_vocab_limit=False, minloglevel=2, **options)
    with open(file, "wb") as out:
        out.write(model.getvalue())
    own = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    return [own.id_to_piece(i) for i in range(len(own))]


def write(folder, recipe):
    file, options, config, tokens = recipe
    os.makedirs(folder, exist_ok=True)
    pieces = train(f"{folder}/{file}", 1, options)
    if file == "source.spm":  # most pieces of both, and what neither has; unknown signs of one may be words of the other
        words = sorted({*pieces, *train(f"{folder}/target.spm", 2, options)} - {"<unk>", "</s>", "<s>"})
        random.Random(3).shuffle(words)
        words = ["</s>", "<unk>", "<pad>", *words[:-90], "⁂⁂", "▁⁂x", ">>fra<<", ">>zh_cn<<"]
        with open(f"{folder}/vocab.json", "w", encoding="utf-8") as out:
            json.dump({word: i for i, word in enumerate(words)}, out)
    with open(f"{folder}/tokenizer_config.json", "w", encoding="utf-8") as out:
        json.dump(config | {"added_tokens_decoder": tokens(len(pieces))}, out)
    return file


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--transformers"]
    own_class = None
    if "--transformers" in sys.argv:
        import slow_transformers
        own_class = slow_transformers.OfTransformers
    folder, cxx, count = arguments[0], arguments[1], int(arguments[2])
    for name, recipe in RECIPES.items():
        if len(arguments) > 3 and arguments[3] != name:
            continue
        file = write(f"{folder}/{name}", recipe)
        theirs = own_class(f"{folder}/{name}") if own_class else slow_rules.Slow(f"{folder}/{name}", file)
        ours = Emitted(f"{folder}/{name}/{file}", f"{folder}/{name}/made", cxx)
        special = ["</s>", "<s>", "<pad>", "<unk>", "<extra_id_3>", "<mask>", "<|user|>", ">>fra<<", ">>xx<<", "⁂⁂", " ⁂x", "<eos>"]
        random_ = random.Random(name)
        plain = [i for i in [ours.library.tok_token(b" <|user|>", ctypes.c_size_t(9))] if i >= 0]
        inputs = [*texts.HOSTILE, ">>fra<< Hello", ">>fra<<>>zh_cn<< x", "a >>fra<<", ">>none<<", ">>fra< x", "</s>>>fra<<", "x</s>", "x </s> ", "<extra_id_0>\nx",
                  "<extra_id_0> x", "<s>\n\n x", "<s>  x", " <s>x", *(texts.text(random_, special) for _ in range(count))]
        for text in inputs:
            expected = theirs.encode(text)
            if ours.encode(text) != expected:
                sys.exit(f"{name}: {text!r}\n  {ours.encode(text)}\n  {expected}")
            if any(i in expected for i in plain):  # their blanks are those of parts that are joined
                continue
            said, wanted = ours.decode(expected), theirs.decode(expected)
            if said.rstrip(" ") != wanted.rstrip(" "):  # blanks at the end stay, since a text may go on
                sys.exit(f"{name}: decoding {expected} of {text!r}\n  {said!r}\n  {wanted!r}")
            if "".join(ours.stream(expected)) != said:
                sys.exit(f"{name}: streaming {expected}: {ours.stream(expected)}")
        print(f"{name}: {len(inputs)} texts are equal")


if __name__ == "__main__":
    main()
