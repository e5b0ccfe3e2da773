# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""front_equal.py FOLDER CXX COUNT: Metaspace with the prepend_scheme "first" behind normalizers that drop, add and move text at the front, on COUNT texts each."""
import io
import random
import sys

import sentencepiece
from emitted import Emitted
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

SIGNS = [" ", "  ", "a", "A", "b", "c", "é", "e\u0301", "\u0301", "\u0323", "ﬁ", "漢", "\x7f", "\u00ad", "▁", "가", "ᄀ", "ᅡ", "İ", "1", "½", "™", "ẹ", "\n", "<t>"]


def fields(data):
    """The fields of a message of protobuf that are bytes."""
    def varint(at):
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                return value, at
    at = 0
    while at < len(data):
        key, at = varint(at)
        if key & 7 == 0:
            _, at = varint(at)
        elif key & 7 == 2:
            size, at = varint(at)
            yield key >> 3, data[at:at + size]
            at += size
        else:
            at += 8 if key & 7 == 1 else 4


def charsmap():
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(["a b c d"] * 50), model_writer=model, vocab_size=9, hard_vocab_limit=False, minloglevel=2,
                                             normalization_rule_name="nmt_nfkc")
    normalizer = next(value for number, value in fields(model.getvalue()) if number == 3)
    return next(value for number, value in fields(normalizer) if number == 2)


def ways():
    n, p = normalizers, pre_tokenizers
    first = p.Metaspace(prepend_scheme="first")
    yield "none", None, first
    yield "strip", n.Strip(), first
    yield "dropped", n.Replace("c", ""), first
    yield "replaced", n.Replace(Regex("[ab]+"), "xy"), first
    yield "blanks", n.Replace(Regex(" +"), " "), first
    yield "lower", n.Sequence([n.Lowercase(), n.Strip()]), p.Sequence([p.Split("\u0307", "isolated"), first])
    yield "bert", n.BertNormalizer(), p.Sequence([p.Split("e", "isolated"), first])
    yield "bert_cut", n.BertNormalizer(), p.Sequence([p.WhitespaceSplit(), first])
    yield "prepend", n.Sequence([n.Prepend("x▁"), n.Replace("x", "")]), p.Sequence([p.Digits(True), first])
    yield "decomposed", n.Sequence([n.NFKD(), n.StripAccents()]), p.Sequence([p.Digits(True), first])
    yield "composed", n.NFC(), p.Sequence([p.Split("a", "isolated"), first])
    yield "compatible", n.Sequence([n.NFKC(), n.Strip()]), p.Sequence([p.Digits(True), p.Split("f", "isolated"), first])
    yield "map", n.Precompiled(charsmap()), p.Sequence([p.Digits(True), p.Split(Regex("[TMf]"), "isolated"), first])
    yield "map_stripped", n.Sequence([n.Precompiled(charsmap()), n.Strip(), n.Replace(Regex(" {2,}"), "▁")]), first
    yield "twice", n.Strip(), p.Sequence([first, p.Split("▁", "isolated"), first])


def main(folder, cxx, count):
    alphabet = sorted({chr(c) for sign in SIGNS for c in map(ord, sign)} | set("xyTMf▁"))
    for name, normalizer, pre_tokenizer in ways():
        tokenizer = Tokenizer(models.BPE({"<unk>": 0, **{sign: i + 1 for i, sign in enumerate(alphabet)}}, [], unk_token="<unk>"))
        if normalizer:
            tokenizer.normalizer = normalizer
        tokenizer.pre_tokenizer = pre_tokenizer
        tokenizer.add_tokens([AddedToken("<t>", normalized=False), AddedToken("xx", normalized=True)])
        tokenizer.save(f"{folder}/{name}.json")
        emitted = Emitted(f"{folder}/{name}.json", f"{folder}/{name}", cxx)
        random_ = random.Random(name)
        for _ in range(count):
            text = "".join(random_.choice(SIGNS) for _ in range(random_.randrange(1, 6)))
            ours, theirs = emitted.encode(text), tokenizer.encode(text)
            if ours != theirs.ids:
                sys.exit(f"{name}: {text!r}\n  {[tokenizer.id_to_token(i) for i in ours]}\n  {theirs.tokens}")
        print(f"{name}: {count} texts are equal")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
