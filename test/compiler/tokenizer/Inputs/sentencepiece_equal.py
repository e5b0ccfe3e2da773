# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sentencepiece_equal.py FOLDER CXX COUNT: .model files that the package sentencepiece trains here give its ids and texts."""
import io
import random
import sys

import sentencepiece
import texts
from emitted import Emitted

RECIPES = {
    "unigram": {"model_type": "unigram", "user_defined_symbols": ["<mask>", "wor"]},
    "unigram_bytes": {"model_type": "unigram", "byte_fallback": True, "normalization_rule_name": "nmt_nfkc_cf"},
    "bpe": {"model_type": "bpe", "user_defined_symbols": ["<mask>", "wor"]},
    "bpe_bytes": {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity", "remove_extra_whitespaces": False, "split_digits": True},
    "unigram_nameless": {"model_type": "unigram", "add_dummy_prefix": False, "unk_surface": "", "user_defined_symbols": ["  ", "x "]},
}


# Of the same pieces in another order the sums tie but for rounding.
RUNS = [sign * count for sign in "!.-=oe" for count in range(1, 70)]
RUNS += [before + sign * count + " of" for before in ("x after on_a_b-c_", "a b c 12 ") for sign in "!.-=" for count in range(20, 50)]
RUNS += ["x\u20e0\u3018<s>\n<s> after on_a<mask>\u0be8\u1f9f\u201f\u2013\ue7e8_a_b-c_" + "!" * 37 + " of"]
# What is dropped, where blanks are, and the sign for them in the text itself.
BLANKS = ["\x7f", "\x7f ", "  \x7f", " \x7fa", "▁", "a ▁", "▁ ▁", " ▁a▁ ", "a▁\x7f", "x  x ", "a    b", "   ", "a x  "]


def main():
    folder, cxx, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    for name, options in RECIPES.items():
        if len(sys.argv) > 4 and sys.argv[4] != name:
            continue
        model = io.BytesIO()
        random_ = random.Random(name)
        lines = [*texts.corpus(1, 500), *(texts.text(random_).replace("\0", " ") for _ in range(1500))]
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=model, vocab_size=900, character_coverage=0.98,
                                                 hard_vocab_limit=False, minloglevel=2, **options)
        with open(f"{folder}/{name}.model", "wb") as file:
            file.write(model.getvalue())
        theirs = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
        ours = Emitted(f"{folder}/{name}.model", f"{folder}/{name}", cxx)
        for text in [*texts.HOSTILE, *RUNS, *BLANKS, *(texts.text(random_, ["<mask>", "<s>"]) for _ in range(count))]:
            expected = theirs.encode(text)
            if ours.encode(text) != expected:
                sys.exit(f"{name}: {text!r}\n  {ours.encode(text)}\n  {expected}\n  {theirs.encode(text, out_type=str)}")
            if ours.decode(expected) != theirs.decode(expected):
                sys.exit(f"{name}: decoding {expected}\n  {ours.decode(expected)!r}\n  {theirs.decode(expected)!r}")
        for _ in range(count):  # ids in any order, those of blanks and bytes often
            ids = [random_.choice([random_.randrange(theirs.get_piece_size()), random_.randrange(270), theirs.piece_to_id("▁"), theirs.unk_id()])
                   for _ in range(random_.randrange(12))]
            if ours.decode(ids) != theirs.decode(ids) or "".join(ours.stream(ids)) != theirs.decode(ids):
                sys.exit(f"{name}: decoding {theirs.id_to_piece(ids)}\n  {ours.decode(ids)!r}\n  {ours.stream(ids)}\n  {theirs.decode(ids)!r}")
        print(f"{name}: {count + len(texts.HOSTILE) + len(RUNS) + len(BLANKS)} texts are equal")


if __name__ == "__main__":
    main()
