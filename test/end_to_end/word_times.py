#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""word_times.py SINTER FOLDER: a tiny random Whisper that gives its cross-attentions, as shares and as scores, writes a line for each word with the times that
transformers' return_token_timestamps finds, of short sound and of sound longer than it hears at once. Exits 77 (skipped) without the exporter."""
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import warnings

from wave_file import write_wave

WORDS, END, BEGIN, NO_TIMES, STEPS = 100, 100, 101, 102, 97
SIZES = {"vocab_size": NO_TIMES + 1 + STEPS, "d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
         "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_source_positions": 100, "max_target_positions": 48, "bos_token_id": END, "eos_token_id": END,
         "pad_token_id": END, "decoder_start_token_id": BEGIN, "median_filter_width": 5, "suppress_tokens": None, "begin_suppress_tokens": None}  # fmt: skip
HEADS = [[0, 1], [2, 0], [2, 3]]
WINDOW = 2  # seconds


def vocabulary():
    """Tokens as ByteLevel writes them: some begin words, some go on, some are punctuation; one is half a character, the next one the other half."""
    signs = [",", ".", "\u0120(", ")", "\u0120\"", "\"", "-", "!", "\u0120-", "?"]
    letters = [chr(ord("a") + i % 26) + str(i) for i in range(WORDS - len(signs) - 2)]
    words = [("\u0120" if i % 3 else "") + word for i, word in enumerate(letters)]
    return [*signs, "\u00c3", "\u00a9", *words, "<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>", *[f"<|{i / 50:.2f}|>" for i in range(STEPS)]]


def tokenizer():
    words = vocabulary()
    return {"added_tokens": [{"id": i, "content": words[i], "special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False} for i in range(WORDS, len(words))], "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}, "model": {"type": "BPE", "vocab": {word: i for i, word in enumerate(words)}, "merges": []}}  # fmt: skip


def sound(path, seconds):
    import numpy as np

    random = np.random.default_rng(int(10 * seconds))
    times = np.arange(int(seconds * 16000)) / 16000
    samples = 0.3 * np.sin(2 * np.pi * (300 + 500 * times) * times) * (np.sin(7 * times) > 0) + random.normal(0, 0.01, len(times))
    return write_wave(path, samples)


class Words:
    """What transformers' functions ask of a tokenizer."""

    eos_token_id = END

    def __init__(self):
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_str(json.dumps(tokenizer()))

    def decode(self, ids, decode_with_timestamps=False):
        return self.tokenizer.decode(ids)


def expected(model, extractor, samples):
    """A line for each word: it begins where the token before it ends."""
    from transformers.models.whisper.tokenization_whisper import _combine_tokens_into_words

    heard = extractor(samples, sampling_rate=16000, return_tensors="pt", truncation=False, padding="longest", return_attention_mask=True)
    features, mask = heard.input_features, heard.attention_mask
    if features.shape[-1] < WINDOW * 100:
        heard = extractor(samples, sampling_rate=16000, return_tensors="pt", return_attention_mask=True)
        features, mask = heard.input_features, heard.attention_mask
    made = model.generate(features, attention_mask=mask, return_timestamps=True, return_token_timestamps=True, return_segments=True)
    lines, last = [], 0.0
    for part in made["segments"][0]:
        ids, times, spans = part["tokens"].tolist(), part["token_timestamps"].tolist(), []
        text = []
        for token, time in zip(ids, times):
            if token < END:
                text.append(token)
                spans.append((last, time))
            last = time
        words, _, indices = _combine_tokens_into_words(Words(), text, "english")
        lines += [f"[{spans[at[0]][0]:.2f} --> {spans[at[-1]][1]:.2f}]{word}" for word, at in zip(words, indices)]
    return lines


def can_export():
    missing = [name for name in ("torch", "transformers", "onnxscript", "tokenizers") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} lacks {', '.join(missing)}")
    return not missing


def model(seed):
    import torch
    import transformers

    torch.manual_seed(seed)
    made = transformers.WhisperForConditionalGeneration(transformers.WhisperConfig(**SIZES, attn_implementation="eager")).eval()
    for parameter in made.parameters():  # louder than they are initialized, so that tokens vary
        parameter.data *= 2
    made.generation_config = transformers.GenerationConfig(bos_token_id=END, eos_token_id=END, pad_token_id=END, decoder_start_token_id=BEGIN, no_timestamps_token_id=NO_TIMES,
                                                           is_multilingual=False, max_initial_timestamp_index=50, alignment_heads=HEADS, return_timestamps=False, max_length=48)  # fmt: skip
    return made


def main():
    sinter, folder = sys.argv[1:3]
    if not can_export():
        return 1 if os.environ.get("SINTER_REQUIRE_MODELS") else 77
    warnings.filterwarnings("ignore")
    import transformers
    from encoder_decoder_exports import export

    failures = 0
    extractor = transformers.WhisperFeatureExtractor(chunk_length=WINDOW)
    for attentions, seed in (("shares", 24), ("scores", 42)):
        speech = model(seed)  # of seeds whose attentions stay apart where numbers round otherwise
        path = os.path.join(folder, attentions)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        samples = sound(f"{path}/short.wav", 1.7)
        features = extractor(samples, sampling_rate=16000, return_tensors="pt").input_features
        export(speech, features, path, attentions)
        with open(f"{path}/tokenizer.json", "w", encoding="utf-8") as file:
            json.dump(tokenizer(), file)
        for name, seconds in (("short", 1.7), ("long", 5)):
            samples = sound(f"{path}/{name}.wav", seconds)
            lines = expected(speech, extractor, samples)
            command = [sinter, "generate", f"{path}/decoder_model_merged.onnx", "--sound", f"{path}/{name}.wav", "--timestamps", "word", "-O1"]
            done = subprocess.run(command, capture_output=True, check=False)
            made = done.stdout.decode(errors="replace").splitlines()
            print(f"{attentions}, {name}: {len(lines)} words, {'as transformers' if made == lines else f'{made} instead of {lines}: {done.stderr[-800:]}'}", flush=True)
            failures += made != lines
    return failures


if __name__ == "__main__":
    sys.exit(main())
