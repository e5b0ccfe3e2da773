# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts to train tokenizers on, and to try them with: words, and what breaks tokenizers. Characters that Unicode added after version 12 are left out,
since packages differ in what they know of them."""
import random
import unicodedata

WORDS = ("the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she "
         "there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could "
         "these two may first then do any like my now over such our man me even most made after also well did many before must years back through down "
         "straße naïve coöperate Ελλάδα привет мир שלום مرحبا 你好世界 こんにちは カタカナ 안녕하세요 नमस्ते สวัสดี Việt ﬁne ①② ½ km² Ǆ İstanbul ſpace").split()
HOSTILE = ["", " ", "  ", "\n", "\r\n", " \r\n\n ", "\t\t x", "a\u0301\u0327", "\u0327\u0301a", "e\u0301" * 5, "\u200b\u00ad\u200d\u200c", "\ufeffx", "\u00a0\u2003x", "x\u3000y",
           "I'M it's IT'S we'll 'ſ don't'", "12345 ٣٤٥ 1²3½ Ⅻ", "a  b   c    ", "  lead", "trail  ", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea",
           "각각\u1100\u1161\u11a8", "\u0000\u0001x\u007f", "<s>x</s> <s>  <mask>  y", "[CLS] [SEP]##ing", "<0x0A><0xFF>", "▁▁a ▁", "İıſK\u212b", "ﬀﬁ\ufdfa①\u0301", "!!!???...",
           "_a_b-c_", "x" * 300, "ab" * 200, "!" * 99, "\n" * 70, " " * 65 + "x", "#include <a.h>\n\tint main() { return 0x1F; }\r\n"]


def characters():
    kinds = {}
    for c in range(0x20000):
        if not 0xD800 <= c < 0xE000 and unicodedata.ucd_3_2_0.category(chr(c)) != "Cn":
            kinds.setdefault(unicodedata.category(chr(c)), []).append(chr(c))
    return kinds


CHARACTERS = characters()


def text(random_, special=()):
    """A random text: of words, of any characters, of pieces of hostile texts, of what is special to the tokenizer."""
    parts = []
    for _ in range(random_.choice([1, 2, 3, 5, 8, 20])):
        kind = random_.random()
        if kind < 0.45:
            parts.append(random_.choice([" ", "", " "]) + random_.choice(WORDS))
        elif kind < 0.6:
            parts.append("".join(random_.choice("abcdeXYZ 019.,'-\n") for _ in range(random_.randrange(1, 12))))
        elif kind < 0.75:
            parts.append("".join(random_.choice(CHARACTERS[random_.choice(list(CHARACTERS))]) for _ in range(random_.randrange(1, 6))))
        elif kind < 0.9 or not special:
            whole = random_.choice(HOSTILE)
            start = random_.randrange(len(whole) + 1)
            parts.append(whole[start:start + random_.randrange(1, 40)])
        else:
            parts.append(random_.choice(special))
    return "".join(parts)


def corpus(seed, lines):
    random_ = random.Random(seed)
    for _ in range(lines):
        yield " ".join(random_.choice(WORDS) for _ in range(random_.randrange(3, 30))) + random_.choice([".", "!", "?", "", ", 2024 12345"])
