# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_model.py FOLDER: trains a Whisper of 72 000 parameters that hears the tones of telephone keys and writes them as words, exports it as Optimum
does, and writes a recording with what transformers makes of it. Some ten minutes of one core; seeds are fixed. README.md says what is in the folder."""
import json
import os
import sys
import wave

import numpy as np
import torch
import transformers
from words import BEGIN, END, LANGUAGES, NO_TIMES, SECONDS, TASKS, TIMES, TOKENS, VOCABULARY, WORDS, tokenizer

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../test/end_to_end"))
from encoder_decoder_exports import export  # noqa: E402

RATE = 16000
LOW, HIGH = (697, 770, 852, 941), (1209, 1336, 1477)
KEYS = {0: (3, 1), **{digit: divmod(digit - 1, 3) for digit in range(1, 10)}}  # row and column of a telephone
LONGEST = 24  # tokens of a text
SOUNDS = 6000  # that are trained with
MOST = 10  # keys in them, and one
FRAME = 0.02  # seconds


def tone(digit, samples, loudness):
    """What a telephone sends for a key."""
    row, column = KEYS[digit]
    times = np.arange(samples) / RATE
    ramp = np.minimum(1, np.minimum(np.arange(samples), np.arange(samples)[::-1]) / 80)
    return loudness * ramp * (np.sin(2 * np.pi * LOW[row] * times) + np.sin(2 * np.pi * HIGH[column] * times)) / 2


def groups_of(random, seconds):
    """Groups of keys with pauses between them: (start of a key in seconds, length, digit) of each."""
    at, groups = random.uniform(0.02, 0.7), []
    while at < seconds:
        group, length, gap = [], random.uniform(0.12, 0.22), random.uniform(0.06, 0.14)
        for digit in random.integers(0, 10, random.integers(1, 5)):
            group.append((at, length, int(digit)))
            at += length + gap
        groups.append(group)
        at += random.uniform(0.2, 0.7)
    return groups


def sound_of(groups, seconds, random):
    sound = random.normal(0, random.uniform(0.0002, 0.004), int(seconds * RATE))
    loudness = random.uniform(0.1, 0.8)
    for group in groups:
        for start, length, digit in group:
            first = int(start * RATE)
            part = tone(digit, int(length * RATE), loudness)[: max(0, len(sound) - first)]
            sound[first : first + len(part)] += part
    return sound.astype(np.float32)


def text_of(groups, language, task, has_times):
    """Tokens, and of each where in the sound it is heard: frames of the encoder, or none. A group that the end cuts off is begun, where there are
    times, so that it is heard again in the next part of the sound."""
    words = WORDS["en" if task == "translate" else language]
    told = [BEGIN, LANGUAGES[language], TASKS[task]] + ([] if has_times else [NO_TIMES])
    ids, frames = told, [(0, 0)] * len(told)

    def add(id, start, end):
        ids.append(id)
        frames.append((round(start / FRAME), round(end / FRAME) + 1))

    for group in groups:
        begin, end = group[0][0], group[-1][0] + group[-1][1]
        if has_times:
            add(TIMES + round(begin / FRAME), begin, begin)
            if end > SECONDS - FRAME:
                break
        for start, length, digit in group:
            if start + length / 2 < SECONDS:
                add(words[digit], start, start + length)
        if has_times:
            add(TIMES + round(end / FRAME), end, end)
    return [*ids, END], [*frames, (0, 0)]


def heard(random, extractor, count):
    """Features of sounds, and the groups of keys in them."""
    features, groups = [], []
    for _ in range(0, count, 50):
        some = [[] if random.random() < 0.05 else groups_of(random, SECONDS) for _ in range(50)]
        features.append(features_of(torch.tensor(np.stack([sound_of(each, SECONDS, random) for each in some])), extractor).half())
        groups += some
    return torch.cat(features), groups


def texts_of(random, groups):
    """One text of each, with -100 behind its end, and the frames in which its tokens are heard."""
    texts, places = np.full((len(groups), LONGEST), -100), np.zeros((len(groups), LONGEST, SECONDS * 50), bool)
    for i, each in enumerate(groups):
        language, task = ("en", "de")[random.integers(2)], ("transcribe", "translate")[int(random.random() < 0.25)]
        ids, frames = text_of(each, language, task, random.random() < 0.6)
        texts[i, : len(ids)] = ids[:LONGEST]
        for row, (first, end) in zip(places[i], frames):
            row[first:end] = True
    return torch.tensor(texts), torch.tensor(places)


def labels_of(groups):
    """Of each frame which key is heard there, from 1 on, and the how many-th it is."""
    labels = np.zeros((2, len(groups), SECONDS * 50), np.int64)
    for i, each in enumerate(groups):
        for place, (start, length, digit) in enumerate(key for group in each for key in group):
            labels[:, i, round(start / FRAME) : round((start + length) / FRAME) + 1] = [[digit + 1], [min(place + 1, MOST - 1)]]
    return torch.tensor(labels)


def features_of(sounds, extractor):
    """What WhisperFeatureExtractor makes, of many sounds at once."""
    waves = torch.stft(sounds, 400, 160, window=torch.hann_window(400), return_complex=True)[..., :-1].abs() ** 2
    levels = (torch.tensor(extractor.mel_filters.T, dtype=torch.float32) @ waves).clamp(min=1e-10).log10()
    return (torch.maximum(levels, levels.amax((1, 2), keepdim=True) - 8) + 4) / 4


def configured():
    config = transformers.WhisperConfig(
        vocab_size=VOCABULARY, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=96,
        decoder_ffn_dim=96, max_source_positions=SECONDS * 50, max_target_positions=LONGEST, bos_token_id=END, eos_token_id=END, pad_token_id=END,
        decoder_start_token_id=BEGIN, suppress_tokens=None, begin_suppress_tokens=None, attn_implementation="eager")  # fmt: skip
    model = transformers.WhisperForConditionalGeneration(config)
    model.generation_config = transformers.GenerationConfig(
        bos_token_id=END, eos_token_id=END, pad_token_id=END, decoder_start_token_id=BEGIN, no_timestamps_token_id=NO_TIMES, is_multilingual=True, language="en",
        task="transcribe", lang_to_id={f"<|{name}|>": id for name, id in LANGUAGES.items()}, task_to_id=TASKS, max_initial_timestamp_index=50,
        return_timestamps=False, alignment_heads=[[1, head] for head in range(4)])  # fmt: skip
    return model


def train(model, extractor, steps):
    """Besides texts it learns what is known of each frame, and where each token is heard, which makes short work of it."""
    random = np.random.default_rng(5)
    features, groups = heard(random, extractor, SOUNDS)
    labels = labels_of(groups)
    heads = torch.nn.ModuleList([torch.nn.Linear(model.config.d_model, 11), torch.nn.Linear(model.config.d_model, MOST)])
    optimizer = torch.optim.AdamW([*model.parameters(), *heads.parameters()], lr=4e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, steps, pct_start=0.1)
    entropy = torch.nn.functional.cross_entropy
    for step in range(steps):
        batch = random.integers(0, SOUNDS, 32)
        texts, places = texts_of(random, [groups[i] for i in batch])
        targets = texts[:, 1:].clone()
        targets[:, :2] = -100  # the language and the task are told
        made = model(input_features=features[batch].float(), decoder_input_ids=texts.clamp(min=0)[:, :-1], output_attentions=True)
        loss = entropy(made.logits.flatten(0, 1), targets.flatten(), ignore_index=-100)
        of_frames = sum(entropy(head(made.encoder_last_hidden_state).flatten(0, 1), label[batch].flatten()) for head, label in zip(heads, labels))
        shares = (made.cross_attentions[-1] * places[:, None, 1:]).sum(-1)
        of_places = -(shares + 1e-4).log().mean(1)[places[:, 1:].any(-1)].mean()
        optimizer.zero_grad()
        (loss + 0.5 * of_frames + 0.3 * of_places).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0 or step + 1 == steps:
            right = ((made.logits.argmax(-1) == targets) | (targets == -100)).all(1).float().mean()
            print(f"step {step}: loss {loss.item():.4f}, frames {of_frames.item():.4f}, places {of_places.item():.4f}, texts right {right.item():.2f}", flush=True)


def recording():
    """Three numbers, of which the second begins in the first part of the sound and ends in the next one."""
    random = np.random.default_rng(11)
    groups, at = [], 0.4
    for number in ("1963", "4207", "58"):
        groups.append([(at + 0.24 * i, 0.15, int(digit)) for i, digit in enumerate(number)])
        at += 0.24 * len(number) + 0.4
    return np.round(sound_of(groups, 4, random) * 32767).astype(np.int16)


def recorded(model, extractor, sound):
    """What transformers hears, a line for each part that has words."""
    heard = extractor(sound / np.float32(32768), sampling_rate=RATE, return_tensors="pt", truncation=False, padding="longest", return_attention_mask=True)
    made = model.generate(heard.input_features, attention_mask=heard.attention_mask, return_timestamps=True, return_segments=True)
    words = {id: word for word, id in TOKENS.items()}
    lines = []
    for part in made["segments"][0]:
        text = "".join(words[int(id)] for id in part["tokens"] if int(id) < END).replace(chr(256 + 32), " ")
        if text:
            lines.append(f"[{part['start']:.2f} --> {part['end']:.2f}]{text}\n")
    return "".join(lines)


def main():
    folder, steps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(7)
    torch.set_num_threads(1)
    extractor = transformers.WhisperFeatureExtractor(chunk_length=SECONDS)
    model = configured()
    train(model, extractor, steps)
    model.eval()
    sound = recording()
    with wave.open(f"{folder}/numbers.wav", "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(sound.tobytes())
    with open(f"{folder}/recorded.txt", "w", encoding="utf-8") as file:
        file.write(recorded(model, extractor, sound))
    features = extractor(sound[: SECONDS * RATE] / np.float32(32768), sampling_rate=RATE, return_tensors="pt").input_features
    export(model, features, folder)
    for part in ("decoder_model", "decoder_with_past_model"):  # the merged one has both
        os.remove(f"{folder}/{part}.onnx")
    with open(f"{folder}/tokenizer.json", "w", encoding="utf-8") as file:
        json.dump(tokenizer(), file, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    main()
