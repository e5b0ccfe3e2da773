# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words that the net of make_model.py writes, and its tokenizer: byte-level BPE in which each word with the blank before it is a token, then the
special tokens in Whisper's order, then its times, 0.02 s apart."""

DIGITS = {"en": "zero one two three four five six seven eight nine", "de": "null eins zwei drei vier fünf sechs sieben acht neun"}
SECONDS = 2  # of sound that the net hears at once


def letters_of(text):
    """Bytes as byte-level BPE spells them; of the bytes that these words have, only the blank and those of ü are not themselves."""
    return [chr(byte) if 33 <= byte < 127 else chr(256 + byte) if byte < 33 else chr(byte) if byte >= 0xA1 else chr(byte + 0xA2) for byte in text.encode()]


def merged():
    """All tokens but special ones, and the merges that make the longer ones, in their order."""
    words = [letters_of(" " + word) for language in DIGITS for word in DIGITS[language].split()]
    vocabulary = sorted({letter for word in words for letter in word})
    merges = []
    for word in words:
        for i in range(1, len(word)):
            pair = ("".join(word[:i]), word[i])
            if "".join(pair) not in vocabulary:
                vocabulary.append("".join(pair))
                merges.append(list(pair))
    return {token: id for id, token in enumerate(vocabulary)}, merges


TOKENS, MERGES = merged()
WORDS = {language: [TOKENS["".join(letters_of(" " + word))] for word in DIGITS[language].split()] for language in DIGITS}
SPECIAL = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|de|>", "<|translate|>", "<|transcribe|>", "<|notimestamps|>"]
END, BEGIN, ENGLISH, GERMAN, TRANSLATE, TRANSCRIBE, NO_TIMES = range(len(TOKENS), len(TOKENS) + len(SPECIAL))
LANGUAGES, TASKS, TIMES = {"en": ENGLISH, "de": GERMAN}, {"translate": TRANSLATE, "transcribe": TRANSCRIBE}, NO_TIMES + 1
TIME_NAMES = [f"<|{i * 0.02:.2f}|>" for i in range(SECONDS * 50 + 1)]
VOCABULARY = TIMES + len(TIME_NAMES)


def tokenizer():
    """The contents of tokenizer.json."""
    added = [{"id": END + i, "content": name, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": i < len(SPECIAL)}
             for i, name in enumerate([*SPECIAL, *TIME_NAMES])]  # fmt: skip
    bytes_ = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False,
             "byte_fallback": False, "ignore_merges": False, "vocab": TOKENS, "merges": MERGES}  # fmt: skip
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None, "pre_tokenizer": bytes_,
            "post_processor": None, "decoder": bytes_, "model": model}  # fmt: skip
