# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""decoding_equal.py FOLDER CXX COUNT: COUNT lists of ids each, of vocabularies with gaps and of special tokens that normalizers change, are decoded as the
package tokenizers does."""
import random
import sys

from emitted import Emitted
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers

# The other ids have no token.
WORDS = {"<unk>": 0, "a": 2, "##b": 4, "▁c": 5, ".": 8, "<0x41>": 11, "<0xE4>": 12, "</s>": 17, "<E>": 18, "</S>": 19, "<e>": 21, "Q": 22}
DECODERS = {"none": None, "wordpiece": decoders.WordPiece(), "metaspace": decoders.Metaspace(),
            "bytes": decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])}
NORMALIZERS = {"none": None, "lower": normalizers.Lowercase(), "prepend": normalizers.Prepend("▁")}


def main(folder, cxx, count):
    for decoder in DECODERS:
        for normalizer in NORMALIZERS:
            name = f"{decoder}_{normalizer}"
            tokenizer = Tokenizer(models.WordLevel(WORDS, unk_token="<unk>"))
            if NORMALIZERS[normalizer]:
                tokenizer.normalizer = NORMALIZERS[normalizer]
            if DECODERS[decoder]:
                tokenizer.decoder = DECODERS[decoder]
            # One that changes, one that becomes another special one, one that is no special one but becomes one.
            tokenizer.add_special_tokens([AddedToken("</s>", normalized=False), AddedToken("<E>", normalized=True), AddedToken("</S>", normalized=True)])
            tokenizer.add_tokens([AddedToken("<e>", normalized=False, special=True), AddedToken("Q", normalized=True)])
            tokenizer.save(f"{folder}/{name}.json")
            emitted = Emitted(f"{folder}/{name}.json", f"{folder}/{name}", cxx)
            random_ = random.Random(name)
            for _ in range(count):
                ids = [random_.randrange(26) for _ in range(random_.randrange(1, 7))]
                for flags, skips in ((0, True), (1, False)):
                    ours, theirs = emitted.decode(ids, flags), tokenizer.decode(ids, skip_special_tokens=skips)
                    if ours != theirs:
                        sys.exit(f"{name}: decoding {ids}, flags {flags}\n  {ours!r}\n  {theirs!r}")
            print(f"{name}: {count} lists of ids are equal")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
