# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""equal.py FOLDER CXX KIND COUNT: trains a tokenizer of each recipe of a kind with the package tokenizers, compiles it, and compares ids and texts on COUNT
random texts each, among them bytes that are no UTF-8."""
import random
import sys

import recipes
import texts
from emitted import Emitted

BARE, PLAIN_TEXT, WITH_SPECIAL = 1, 2, 1


def broken(random_, text):
    """Bytes of the text, some of them changed or cut off."""
    data = bytearray(text.encode())
    for _ in range(random_.randrange(1, 4)):
        if data:
            data[random_.randrange(len(data))] = random_.randrange(256)
    return bytes(data[:random_.randrange(len(data) + 1)])


def compare(name, tokenizer, emitted, count):
    random_ = random.Random(name)
    special = [token.content for token in tokenizer.get_added_tokens_decoder().values()]
    inputs = [*texts.HOSTILE, *(texts.text(random_, special) for _ in range(count))]
    expected = tokenizer.encode_batch(inputs)
    for text, theirs in zip(inputs, expected):
        ours = emitted.encode(text)
        if ours != theirs.ids:
            sys.exit(f"{name}: {text!r}\n  {ours}\n  {theirs.ids}\n  {theirs.tokens}")
        for flags, skips in ((0, True), (WITH_SPECIAL, False)):
            said, decoded = emitted.decode(ours, flags), tokenizer.decode(ours, skip_special_tokens=skips)
            if said != decoded:
                sys.exit(f"{name}: decoding {theirs.tokens} of {text!r}\n  {said!r}\n  {decoded!r}")
        if "".join(emitted.stream(ours)) != emitted.decode(ours):
            sys.exit(f"{name}: streaming {text!r}: {emitted.stream(ours)}")
    for text in inputs[::4]:
        data = broken(random_, text)
        ours, theirs = emitted.encode(data, BARE), tokenizer.encode(data.decode(errors="replace"), add_special_tokens=False).ids
        if ours != theirs:
            sys.exit(f"{name}: bytes {data!r}\n  {ours}\n  {theirs}")
    tokenizer.encode_special_tokens = True
    for text in inputs[::4]:
        ours, theirs = emitted.encode(text, PLAIN_TEXT), tokenizer.encode(text).ids
        if ours != theirs:
            sys.exit(f"{name}: plain {text!r}\n  {ours}\n  {theirs}")
    tokenizer.encode_special_tokens = False
    for _ in range(count // 4):  # ids in any order
        ids = [random_.randrange(tokenizer.get_vocab_size() + 3) for _ in range(random_.randrange(20))]
        said, decoded = emitted.decode(ids, WITH_SPECIAL), tokenizer.decode(ids, skip_special_tokens=False)
        if said != decoded:
            sys.exit(f"{name}: decoding {ids}\n  {said!r}\n  {decoded!r}")
    print(f"{name}: {len(inputs)} texts are equal")


def main():
    folder, cxx, kind, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    for name, make in recipes.of_kind(kind):
        if len(sys.argv) > 5 and sys.argv[5] not in name:
            continue
        tokenizer = make()
        file = f"{folder}/{name}.json"
        tokenizer.save(file)
        compare(name, tokenizer, Emitted(file, f"{folder}/{name}", cxx), count)


if __name__ == "__main__":
    main()
