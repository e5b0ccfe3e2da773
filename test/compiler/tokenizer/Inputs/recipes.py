# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well-known models put their tokenizers together, trained here on texts of our own."""
import texts
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
O200K = "|".join([rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+(?i:'s|'t|'re|'ve|'m|'ll|'d)?", rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                  r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])
CL100K = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
DEEPSEEK = [r"\p{N}{1,3}", r"[一-龥぀-ゟ゠-ヿ]+",
            r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"]
SPECIAL = ["<s>", "</s>", "<unk>", "<mask>"]
BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]


def trained(tokenizer, trainer):
    tokenizer.train_from_iterator(texts.corpus(1, 3000), trainer)
    return tokenizer


def byte_level(split, prefix=False, normalizer=None, ignore_merges=False):
    tokenizer = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    if normalizer:
        tokenizer.normalizer = normalizer
    if split is None:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    else:
        steps = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in split]
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*steps, pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=False)])
    trained(tokenizer, trainers.BpeTrainer(vocab_size=900, show_progress=False, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens([AddedToken("<mask>", lstrip=True, rstrip=True, special=True), AddedToken("naïve", single_word=True), AddedToken("km", normalized=False)])
    return tokenizer


def gpt2():
    return byte_level(None)


def roberta():
    tokenizer = byte_level(None, prefix=True)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 1), ("<s>", 0))
    return tokenizer


def llama3():
    tokenizer = byte_level([LLAMA3], ignore_merges=True)
    around = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 0)])
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(), around])
    return tokenizer


def qwen2():
    return byte_level([QWEN2], normalizer=normalizers.NFC())


def o200k():
    return byte_level([O200K], normalizer=normalizers.NFD())


def cl100k():
    return byte_level([CL100K], normalizer=normalizers.NFKD())


def deepseek():
    return byte_level(DEEPSEEK, normalizer=normalizers.NFKC())


def sentence_bpe(first, fuse):
    """Llama 2's and Gemma's: characters, bytes for what is unknown, blanks as ▁."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=fuse))
    if first is None:
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=first, split=first != "never")
    trained(tokenizer, trainers.BpeTrainer(vocab_size=900, show_progress=False, special_tokens=["<s>", "</s>", "<unk>", *BYTE_TOKENS], max_token_length=16))
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)])
    return tokenizer


def llama2():
    return sentence_bpe(None, True)


def gemma():
    return sentence_bpe("never", False)


def mistral():
    return sentence_bpe("first", True)


def metaspace():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")])
    trained(tokenizer, trainers.BpeTrainer(vocab_size=500, show_progress=False, special_tokens=["<unk>"], limit_alphabet=60))
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    return tokenizer


def clip():
    """Words that end with </w>."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>", continuing_subword_prefix=""))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    pattern = Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(pattern, "removed", invert=True)
    return trained(tokenizer, trainers.BpeTrainer(vocab_size=500, show_progress=False, special_tokens=["<unk>"], end_of_word_suffix="</w>", limit_alphabet=60))


def prefixed():
    """BPE whose later characters have a prefix, without putting unknown ones together."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", continuing_subword_prefix="##"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents(), normalizers.Strip()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Punctuation("merged_with_next"), pre_tokenizers.Digits(False), pre_tokenizers.Whitespace()])
    trained(tokenizer, trainers.BpeTrainer(vocab_size=500, show_progress=False, special_tokens=["<unk>"], continuing_subword_prefix="##", limit_alphabet=60))
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def prefixed_bytes():
    """Bytes stand for what is unknown together with the affixes of its place."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, continuing_subword_prefix="##", end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    affixes = {"continuing_subword_prefix": "##", "end_of_word_suffix": "</w>"}
    return trained(tokenizer, trainers.BpeTrainer(vocab_size=700, show_progress=False, special_tokens=["<unk>", *BYTE_TOKENS], limit_alphabet=40, **affixes))


def word_pieces(lowers):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=50))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowers)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trained(tokenizer, trainers.WordPieceTrainer(vocab_size=700, show_progress=False, special_tokens=["[UNK]", "[CLS]", "[SEP]"], limit_alphabet=80))
    tokenizer.decoder = decoders.WordPiece(cleanup=lowers)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return tokenizer


def bert():
    return word_pieces(True)


def bert_cased():
    return word_pieces(False)


def word_level():
    tokenizer = Tokenizer(models.WordLevel(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.WhitespaceSplit()])
    return trained(tokenizer, trainers.WordLevelTrainer(vocab_size=500, show_progress=False, special_tokens=["<unk>"]))


def unigram(byte_fallback):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<unk>", "<s>", "</s>", *(BYTE_TOKENS if byte_fallback else [])]
    trained(tokenizer, trainers.UnigramTrainer(vocab_size=900, show_progress=False, special_tokens=special, unk_token="<unk>"))
    if byte_fallback:
        vocabulary = [(piece, score) for piece, score in __import__("json").loads(tokenizer.to_str())["model"]["vocab"]]
        tokenizer.model = models.Unigram(vocabulary, 0, True)
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


def t5():
    return unigram(False)


def t5_bytes():
    return unigram(True)


KINDS = {"bytes": [gpt2, roberta, llama3, qwen2, o200k, cl100k, deepseek], "characters": [llama2, gemma, mistral, metaspace, clip, prefixed, prefixed_bytes],
         "words": [bert, bert_cased, word_level], "unigram": [t5, t5_bytes]}


def of_kind(kind):
    return [(make.__name__, make) for make in KINDS[kind]]
