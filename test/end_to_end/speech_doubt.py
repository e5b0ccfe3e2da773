#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""speech_doubt.py SINTER FOLDER: a tiny random Whisper doubts its texts where transformers does: with limits a little to either side of the compression ratio, the mean
logarithm and the probability of silence that transformers finds of each part, its text stays, is heard again, or is left out. Exits 77 (skipped) without the exporter."""
import os
import shutil
import subprocess
import sys
import warnings

import word_times as net


def judged(model, features, mask):
    """What transformers makes greedily of the sound, the three numbers of each part, and whether silence counts there."""
    found = []
    original = model._need_fallback

    def looked_at(tokens, outputs, index, processors, config, vocabulary, temperature):
        ratio = model._retrieve_compression_ratio(tokens, vocabulary)
        mean = float(model._retrieve_avg_logprobs(outputs[index]["scores"], tokens, temperature))
        silent = next(p for p in processors if type(p).__name__ == "WhisperNoSpeechDetection").no_speech_prob[index].item()
        found.append((ratio, mean, silent))
        return original(tokens, outputs, index, processors, config, vocabulary, temperature)

    model._need_fallback = looked_at
    made = model.generate(features, attention_mask=mask, return_timestamps=True, return_segments=True, temperature=(0.0,), compression_ratio_threshold=1e9, logprob_threshold=-1e9,
                          no_speech_threshold=2.0)  # fmt: skip
    model._need_fallback = original
    return [part["tokens"].tolist() for part in made["segments"][0]], found


def main():
    sinter, folder = sys.argv[1:3]
    if not net.can_export():
        return 1 if os.environ.get("SINTER_REQUIRE_MODELS") else 77
    warnings.filterwarnings("ignore")
    import transformers
    from encoder_decoder_exports import export

    extractor = transformers.WhisperFeatureExtractor(chunk_length=net.WINDOW)
    model = net.model(24)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    samples = net.sound(f"{folder}/sound.wav", 1.7)
    heard = extractor(samples, sampling_rate=16000, return_tensors="pt", return_attention_mask=True)
    export(model, heard.input_features, folder)
    parts, numbers = judged(model, heard.input_features, heard.attention_mask)
    ratio, mean, failures = max(each[0] for each in numbers), min(each[1] for each in numbers), 0  # of the part that is doubted first
    _, first, silent = numbers[0]  # behind which nothing is heard any more where it is silence
    most = max(each[2] for each in numbers)
    text = [token for part in parts for token in part]

    def check(what, flags, isSame):
        nonlocal failures
        command = [sinter, "generate", f"{folder}/decoder_model_merged.onnx", "--sound", f"{folder}/sound.wav", "--timestamps", "--tokens", str(net.SIZES["max_target_positions"] - 1), "-O1", *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        made = [int(word) for line in done.stdout.splitlines() for word in line.split("]")[1].split()]
        holds = done.returncode == 0 and (not made if isSame is None else (made == text) == isSame and made)
        print(f"{what}: {'as transformers' if holds else f'{made} beside {text}: {done.stderr[-800:]}'}", flush=True)
        failures += not holds

    again = ["--temperatures", "0,9"]
    near = 1e-4
    check("believed", ["--compression-ratio-threshold", f"{ratio + near:.9f}", "--logprob-threshold", f"{mean - near:.9f}", *again], True)
    check("repeats itself", ["--compression-ratio-threshold", f"{ratio - near:.9f}", *again], False)
    check("guessed", ["--logprob-threshold", f"{mean + near:.9f}", *again], False)
    check("guessed, but the last", ["--logprob-threshold", f"{mean + near:.9f}", "--temperatures", "0"], True)
    check("silence", ["--logprob-threshold", f"{first + near:.9f}", "--no-speech-threshold", f"{silent * (1 - near):.9f}", *again], None)
    check("no silence", ["--logprob-threshold", f"{first + near:.9f}", "--no-speech-threshold", f"{most * (1 + near):.9f}", "--temperatures", "0"], True)
    return failures


if __name__ == "__main__":
    sys.exit(main())
