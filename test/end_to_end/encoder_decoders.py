#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""encoder_decoders.py SINTER FOLDER [NET...]: tiny random encoder-decoders, laid out as Optimum does, go on as transformers' own greedy generation and beam search do,
token for token: of text by tokens, merged and in two files; of sound from a WAV file on, also laid out as ONNX Runtime GenAI takes it; with an adapter as
PEFT writes it. Exits 77 (skipped) without the exporter."""
import importlib.util
import os
import shutil
import subprocess
import sys
import warnings

from peft_adapter import train
from wave_file import write_wave

SOURCE, TOKENS, BEAMS = [5, 9, 33, 21, 7, 2], 16, 3
SIZES = {"vocab_size": 64, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
         "encoder_ffn_dim": 48, "decoder_ffn_dim": 48}  # fmt: skip
TEXT = {**SIZES, "max_position_embeddings": 128, "bos_token_id": 0, "eos_token_id": 62, "forced_eos_token_id": 62, "pad_token_id": 63}
NETS = {
    "T5": ("T5ForConditionalGeneration", {"vocab_size": 64, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0, "eos_token_id": 1, "pad_token_id": 0}),
    "Bart": ("BartForConditionalGeneration", {**TEXT, "decoder_start_token_id": 2, "forced_bos_token_id": 7}),
    "Marian": ("MarianMTModel", {**TEXT, "decoder_start_token_id": 63}),
    "Whisper": ("WhisperForConditionalGeneration", {**SIZES, "max_source_positions": 1500, "max_target_positions": 64, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1, "decoder_start_token_id": 2, "begin_suppress_tokens": [3]}),
}  # fmt: skip


def sound(path):
    """Two tones, a second each; the samples as floats."""
    import numpy as np

    times = np.arange(16000) / 16000
    samples = np.concatenate([0.3 * np.sin(2 * np.pi * hertz * times) for hertz in (440, 1200)])
    return write_wave(path, samples)


def make(name, folder):
    """The exported folder, the arguments that it is given, and the tokens that transformers makes."""
    import torch
    import transformers
    from encoder_decoder_exports import export, export_genai

    torch.manual_seed(3)
    kind, sizes = NETS[name]
    config = getattr(transformers, kind).config_class(**sizes, attn_implementation="eager")
    model = getattr(transformers, kind)(config).eval()
    for parameter in model.parameters():  # louder than they are initialized, so that tokens vary
        parameter.data *= 3
    given, values = ["--ids", ",".join(map(str, SOURCE))], torch.tensor([SOURCE])
    if name == "Whisper":
        given = ["--sound", f"{folder}.wav"]
        values = transformers.WhisperFeatureExtractor()(sound(given[1]), sampling_rate=16000, return_tensors="pt").input_features
    export(model, values, folder)
    if name == "Whisper":
        export_genai(model, values, f"{folder}/genai")
    made = [model.generate(values, max_new_tokens=TOKENS, do_sample=False, num_beams=beams)[0].tolist() for beams in (1, BEAMS)]
    train(model, f"{folder}.lora")
    made.append(model.generate(values, max_new_tokens=TOKENS, do_sample=False)[0].tolist())
    return given, made if name == "Whisper" else [one[1:] for one in made]


def main():
    sinter, folder = sys.argv[1:3]
    missing = [name for name in ("torch", "transformers", "onnxscript") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} lacks {', '.join(missing)}")
        return 1 if os.environ.get("SINTER_REQUIRE_MODELS") else 77
    warnings.filterwarnings("ignore")
    failures = 0
    for name in sys.argv[3:] or NETS:
        path = os.path.join(folder, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        given, (greedy, best, trained) = make(name, path)
        merged, apart = "decoder_model_merged.onnx", "decoder_with_past_model.onnx"
        runs = [(merged, [], greedy), (apart, [], greedy), (merged, ["--beams", str(BEAMS)], best)]
        adapter, switched = ["--adapter", path + ".lora"], ["--adapter", f"tuned={path}.lora"]
        runs += [(merged, adapter, trained), (apart, [*switched, "--with", "tuned"], trained), (apart, switched, greedy)]
        for file, more, expected in runs + ([("genai", [], greedy), ("genai", adapter, trained)] if name == "Whisper" else []):
            level = "-O1" if name == "Whisper" else "-O0"  # which computes much for its half a minute of sound; others are compiled longer than they run, quickest by the compiler that CXX names
            command = [sinter, "generate", f"{path}/{file}", *given, *more, "--tokens", str(TOKENS), "--context", "32", level]
            environment = {key: value for key, value in os.environ.items() if key != "CXX" or level == "-O0"}
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
            made = [int(word) for word in done.stdout.split()]
            made = made[:-1] if name == "Whisper" and made[-1:] == [1] else made  # which transformers leaves out
            print(f"{name}, {file}{' ' + more[0] if more else ''}: {'as transformers' if made == expected else f'{made} instead of {expected}: {done.stderr[-800:]}'}", flush=True)
            failures += made != expected
    return failures


if __name__ == "__main__":
    sys.exit(main())
