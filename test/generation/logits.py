#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are logits changed and tokens kept as transformers does? Thousands of random texts, logits and settings; its own list of processors, as `generate`
makes it, is the oracle. Changes must be equal to the last bit; what is kept must be the same tokens, computed there in double."""
import random
import sys

import numpy as np
import torch
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

import chosen

CASES = 6000
VOCAB = 96


def some(r, most=4):
    return [r.randrange(VOCAB) for _ in range(r.randint(1, most))]


def lists(r):
    return list({tuple(some(r, 3)) for _ in range(r.randint(1, 12))})


# What a case may have, each with a chance of its own.
CHANGES = {
    "sequence_bias": lambda r: [[list(one), r.uniform(-5, 5)] for one in lists(r)],
    "encoder_repetition_penalty": lambda r: r.choice([0.7, 1.3]),
    "repetition_penalty": lambda r: r.choice([0.8, 1.1, 1.7]),
    "no_repeat_ngram_size": lambda r: r.randint(1, 4),
    "encoder_no_repeat_ngram_size": lambda r: r.randint(1, 3),
    "bad_words_ids": lambda r: [list(one) for one in lists(r)],
    "min_length": lambda r: r.randint(1, 24),
    "min_new_tokens": lambda r: r.randint(1, 12),
    "forced_bos_token_id": lambda r: r.randrange(VOCAB),
    "forced_eos_token_id": lambda r: r.choice([r.randrange(VOCAB), some(r, 3)]),
    "remove_invalid_values": lambda r: True,
    "exponential_decay_length_penalty": lambda r: (r.randint(0, 6), r.choice([1.05, 1.4])),
    "suppress_tokens": some,
    "begin_suppress_tokens": some,
}
KEPT = {
    "top_k": lambda r: r.randint(1, VOCAB + 4),
    "top_p": lambda r: r.uniform(0.02, 0.999),
    "min_p": lambda r: r.uniform(0.001, 0.9),
    "typical_p": lambda r: r.uniform(0.05, 0.99),
    "epsilon_cutoff": lambda r: 10 ** r.uniform(-4, -1),
    "eta_cutoff": lambda r: 10 ** r.uniform(-4, -0.5),
}


def text(r):
    few = r.randint(2, 8)  # ids that repeat
    pool = some(r, few) + [r.randrange(VOCAB)]
    length = r.randint(1, 24)
    return [r.choice(pool) for _ in range(length)], r.randint(1, length)


def logits(r, numbers):
    row = numbers.standard_normal(VOCAB).astype(np.float32) * np.float32(r.choice([0.5, 2, 8]))
    if r.random() < 0.15:
        row = np.round(row)  # ties
    if r.random() < 0.2:
        row[numbers.integers(0, VOCAB, 30)] = -np.inf
    return row


def same_kept(expected, found, before):
    """Equal sets, or sets that differ by which of equal logits they keep."""
    if np.array_equal(np.isinf(expected), np.isinf(found)):
        return True
    return np.array_equal(np.sort(before[~np.isinf(expected)]), np.sort(before[~np.isinf(found)]))


def main():
    library = chosen.Library(sys.argv[1])
    torch.manual_seed(1)
    model = LlamaForCausalLM(LlamaConfig(vocab_size=VOCAB, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1))
    r, numbers = random.Random(7), np.random.default_rng(7)
    wrong = 0
    for case in range(CASES):
        ids, prompt = text(r)
        encoder = some(r, 12)
        settings = {name: make(r) for name, make in CHANGES.items() if r.random() < 0.16}
        if {"forced_bos_token_id", "forced_eos_token_id"} & set(settings):
            settings.pop("suppress_tokens", None)  # transformers refuses what would forbid the forced
            settings.pop("begin_suppress_tokens", None)
        settings["eos_token_id"] = some(r, 2)
        settings["max_length"] = len(ids) + r.choice([1, 1, 5])
        warps = {}
        is_drawn = bool(case % 2)
        if is_drawn:
            warps = {name: make(r) for name, make in KEPT.items() if r.random() < 0.3}
            warps["num_beams"] = r.choice([1, 1, 2])
            warps["temperature"] = r.choice([0.3, 0.7, 1.0, 1.9])
        row = logits(r, numbers)

        config = GenerationConfig(**settings, **{"top_k": 0, "top_p": 1.0, **warps}, do_sample=is_drawn, pad_token_id=0)
        model._prepare_special_tokens(config, False, device="cpu")
        processors = model._get_logits_processor(config, prompt, torch.tensor([encoder]), model_kwargs={}, device="cpu")
        before = torch.tensor(row)[None]
        kinds = [type(processor).__name__.removesuffix("LogitsWarper") for processor in processors]
        changes = sum(kind not in ("TopK", "TopP", "MinP", "Typical", "Epsilon", "Eta") for kind in kinds)
        for processor in processors[:changes]:
            before = processor(torch.tensor([ids]), before)
        refused = -5 if before.isnan().any() else -6 if before.isposinf().any() else -7 if before.isinf().all() else 0
        expected = before.double()
        for processor in processors[changes:] if not refused else []:
            expected = processor(torch.tensor([ids]), expected)
        before, expected = before[0].numpy(), expected[0].numpy()

        is_beam = warps.pop("num_beams", 1) > 1
        warps["min_tokens_to_keep"] = len(settings["eos_token_id"]) + 1 if is_beam else 0
        s = chosen.sampler({**settings, **warps, "do_sample": int(is_drawn)})
        status, found = library.logits("choose_prepare", s, chosen.step(ids, prompt, encoder), row)
        if refused:
            ok = status == refused
        elif not is_drawn:
            ok = status == int(np.argmax(before)) and np.array_equal(before, found)
        else:
            ok = same_kept(expected, found, before) and np.array_equal(found[~np.isinf(found)], before[~np.isinf(found)])
        if not ok:
            wrong += 1
            if wrong <= 5:
                kept = [np.flatnonzero(~np.isinf(one)).tolist() for one in (expected, found)]
                print(f"case {case}: {settings} {warps}: status {status}, kept {kept}, differ {np.flatnonzero(before != found)[:8]}")
    print(f"{CASES} cases, {wrong} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
