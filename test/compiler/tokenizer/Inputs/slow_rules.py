# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the slow classes of transformers 4 do with a SentencePiece file, in the few lines that matter for ids and texts: transformers 5 has most of them no
longer. slow_equal.py compares with these, or with the classes themselves where it is told so."""
import json
import re

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

SIGN = "▁"


class Slow:
    def __init__(self, folder, file):
        with open(f"{folder}/tokenizer_config.json", encoding="utf-8") as config:
            self.config = json.load(config)
        self.kind = self.config["tokenizer_class"]
        self.legacy = self.config.get("legacy", True) or self.kind not in ("T5Tokenizer", "LlamaTokenizer")
        with open(f"{folder}/{file}", "rb") as bytes_:
            proto = sentencepiece_model_pb2.ModelProto.FromString(bytes_.read())
        if not self.legacy:
            proto.normalizer_spec.add_dummy_prefix = False
        self.pieces = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())
        count = len(self.pieces)
        self.vocabulary = {self.pieces.id_to_piece(i): i for i in range(count)}
        if self.kind == "XLMRobertaTokenizer":
            self.vocabulary = {piece: i + 1 for piece, i in self.vocabulary.items()}
            self.vocabulary |= {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": count + 1}
        if self.kind == "MarianTokenizer":
            with open(f"{folder}/vocab.json", encoding="utf-8") as vocabulary:
                self.vocabulary = json.load(vocabulary)
            self.target = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/target.spm")
        self.added = {token["content"]: (int(i), token) for i, token in self.config["added_tokens_decoder"].items()}
        named = [value for key, value in self.config.items() if key.endswith("_token") and not isinstance(value, bool)]
        self.special = {token["content"] if isinstance(token, dict) else token for token in named + self.config.get("additional_special_tokens", [])}
        self.texts = {i: piece for piece, i in self.vocabulary.items()} | {i: content for content, (i, _) in self.added.items()}

    def cut(self, text):
        """A stretch between added tokens, as pieces."""
        if self.kind == "MarianTokenizer" and text.startswith(">>") and "<<" in text:
            end = text.find("<<") + 2
            return [text[:end]] + self.pieces.encode(text[end:], out_type=str)
        if self.legacy or not text.startswith((SIGN, " ")):
            return self.pieces.encode(text, out_type=str)
        return self.pieces.encode("<unk>" + text, out_type=str)[len(self.pieces.encode("<unk>")):]

    def tokens(self, text):
        if not self.legacy and text:
            text = text.replace(SIGN, " ")
            text = SIGN + text if self.config.get("add_prefix_space", True) else text
        names = sorted(self.added, key=len, reverse=True)
        parts = re.split("(" + "|".join(map(re.escape, names)) + ")", text)
        for i in range(1, len(parts), 2):
            token = self.added[parts[i]][1]
            if token["rstrip"]:
                parts[i + 1] = parts[i + 1].lstrip()
            if token["lstrip"]:
                parts[i - 1] = parts[i - 1].rstrip()
        tokens = []
        for i, part in enumerate(parts):
            tokens += [part] if i % 2 else self.cut(part) if part else []
        if not self.legacy and len(tokens) > 1 and tokens[0] == SIGN and tokens[1] in self.special:
            tokens = tokens[1:]
        return tokens

    def encode(self, text):
        unknown = self.vocabulary["<unk>"]
        ids = [self.added[token][0] if token in self.added else self.vocabulary.get(token, unknown) for token in self.tokens(text)]
        begin, end = self.config.get("bos_token", ""), self.config.get("eos_token", "")
        if self.kind == "T5Tokenizer":
            return ids if ids and ids[-1] == self.added[end][0] else ids + [self.added[end][0]]
        if self.kind == "MarianTokenizer":
            return ids + [self.added[end][0]]
        if self.kind == "XLMRobertaTokenizer":
            return [0] + ids + [2]
        front = [self.added[begin][0]] if self.config.get("add_bos_token", True) else []
        return front + ids + ([self.added[end][0]] if self.config.get("add_eos_token", False) else [])

    def decode(self, ids):
        """Without special tokens."""
        tokens = [self.texts[i] for i in ids if self.texts[i] not in self.special]
        if not tokens:
            return ""
        if self.kind == "XLMRobertaTokenizer":
            return "".join(tokens).replace(SIGN, " ").strip()
        if self.kind == "MarianTokenizer":
            return self.target.decode_pieces(tokens).replace(SIGN, " ").strip()
        if self.kind != "GemmaTokenizer" and tokens[0].startswith(SIGN) and self.config.get("add_prefix_space", True):
            tokens[0] = tokens[0][1:]
        text = self.pieces.decode(tokens)
        return text.strip() if self.kind == "T5Tokenizer" else text.replace(SIGN, " ") if self.kind == "GemmaTokenizer" else text
