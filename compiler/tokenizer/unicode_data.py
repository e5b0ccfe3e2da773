#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes unicode_data.txt, which unicode.cpp reads: what tokenizers ask of characters, from Python's unicodedata (one version of Unicode for all of it)
and, for scripts and grapheme clusters, from the package regex, cut to the characters of that version. Punctuation is that of the package tokenizers, whose
Unicode is older there. Run by hand when the version is to change."""
import pathlib
import textwrap
import unicodedata

import regex
from tokenizers import pre_tokenizers

SCRIPTS = ("Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Georgian", "Greek", "Gujarati", "Han", "Hangul", "Hebrew", "Hiragana", "Kannada",
           "Katakana", "Khmer", "Lao", "Latin", "Malayalam", "Mongolian", "Myanmar", "Sinhala", "Tamil", "Telugu", "Thai", "Tibetan")
CLUSTERS = ("Extend", "SpacingMark", "Prepend", "Control")
ALL = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def ranges(codes):
    out, start, last = [], None, None
    for code in codes:
        if last is not None and code == last + 1:
            last = code
            continue
        if start is not None:
            out.append((start, last))
        start = last = code
    if start is not None:
        out.append((start, last))
    return " ".join(f"{a:x}" if a == b else f"{a:x}-{b:x}" for a, b in out)


def text(codes):
    return "+".join(f"{ord(c):x}" for c in codes)


def folded(c):
    """One character for one: where all of a folding is longer, what lower case is, if that folds alike."""
    full, lower = c.casefold(), c.lower()
    return full if len(full) == 1 else lower if len(lower) == 1 and lower.casefold() == full else c


def rows():
    category = {c: unicodedata.category(chr(c)) for c in ALL}
    for name in sorted(set(category.values()) - {"Cn"}):
        yield f"category {name}", ranges(c for c in ALL if category[c] == name)
    yield "property White_Space", ranges(c for c in ALL if regex.match(r"\p{White_Space}", chr(c)))
    cut = pre_tokenizers.Punctuation("isolated")
    yield "property Punctuation", ranges(c for c in ALL if len(cut.pre_tokenize_str(f"a{chr(c)}a")) == 3)
    for kind, names in (("script", SCRIPTS), ("cluster", CLUSTERS)):
        for name in names:
            pattern = regex.compile(r"\p{%s=%s}" % ("Script" if kind == "script" else "Grapheme_Cluster_Break", name))
            yield f"{kind} {name}", ranges(c for c in ALL if category[c] != "Cn" and pattern.match(chr(c)))
    for order in sorted({unicodedata.combining(chr(c)) for c in ALL} - {0}):
        yield f"order {order}", ranges(c for c in ALL if unicodedata.combining(chr(c)) == order)
    hangul = range(0xAC00, 0xD7A4)
    pairs = [(c, unicodedata.normalize("NFD", chr(c)), unicodedata.normalize("NFKD", chr(c))) for c in ALL if c not in hangul]
    yield "map canonical", " ".join(f"{c:x}={text(nfd)}" for c, nfd, _ in pairs if nfd != chr(c))
    yield "map compatible", " ".join(f"{c:x}={text(nfkd)}" for c, nfd, nfkd in pairs if nfkd != nfd)
    yield "map lower", " ".join(f"{c:x}={text(chr(c).lower())}" for c in ALL if chr(c).lower() != chr(c))
    yield "map fold", " ".join(f"{c:x}={text(f)}" for c in ALL for f in [folded(chr(c))] if f != chr(c))
    steps = [(c, unicodedata.decomposition(chr(c)).split()) for c in ALL]
    yield "map compose", " ".join(f"{c:x}={'+'.join(s.lower().lstrip('0') for s in step)}" for c, step in steps
                                  if len(step) == 2 and step[0][0] != "<" and unicodedata.normalize("NFC", chr(c)) == chr(c))


def main():
    lines = [f"version {unicodedata.unidata_version}"]
    for head, body in rows():
        lines += [head, *textwrap.wrap(body, 1000)]
    pathlib.Path(__file__).with_name("unicode_data.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
