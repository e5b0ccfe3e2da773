#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does beam search find the texts that transformers' generate finds, with its scores? On a tiny random Llama whose logits are made sharp, over random
settings: lengths, penalties, ways to stop early, several ids of eos, processors; and with draws, which transformers is given in place of its own."""
import random
import sys
import unittest.mock

import numpy as np
import torch
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

import chosen

CASES = 150
VOCAB = 64
STOPPING = {False: 0, True: 1, "never": 2}


def main():
    library = chosen.Library(sys.argv[1])
    torch.manual_seed(3)
    model = LlamaForCausalLM(LlamaConfig(vocab_size=VOCAB, hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter *= 3

    def logits_of(texts):
        with torch.no_grad():
            return model(torch.tensor(texts)).logits[:, -1].numpy()

    r = random.Random(5)
    wrong = early = 0
    for case in range(CASES):
        prompt = [r.randrange(VOCAB) for _ in range(r.randint(2, 6))]
        beams, eos = r.randint(2, 5), [r.randrange(VOCAB) for _ in range(r.randint(1, 6))]
        max_length = len(prompt) + r.randint(2, 14)
        penalty, stopping = r.choice([0.0, 1.0, 2.0, -1.0, 0.6, 1.7]), r.choice(list(STOPPING))
        settings = {"eos_token_id": eos}
        if case % 3 == 0:
            settings |= {"repetition_penalty": 1.2, "no_repeat_ngram_size": 2, "min_new_tokens": 2}
        drawn = {}
        if case % 5 < 2:
            settings["renormalize_logits"] = True
        if case % 4 == 1:
            drawn = {"do_sample": True, "top_k": 0, **r.choice([{"temperature": 1.5}, {"top_k": 5}, {"top_p": 0.9, "temperature": 2.0}, {"min_p": 0.02}])}
        seed = r.randrange(1 << 40)
        config = GenerationConfig(**settings | drawn, num_beams=beams, num_return_sequences=beams, max_length=max_length, length_penalty=penalty,
                                  early_stopping=stopping, pad_token_id=VOCAB + 1, return_dict_in_generate=True, output_scores=True)
        places = iter(range(len(prompt), max_length))

        def draw(probabilities, num_samples):
            """torch.multinomial by this library: one text after the other as its search draws them. Of what is beyond reach, any."""
            return torch.tensor([library.drawn(probabilities[0].log().numpy(), beams, num_samples, seed, next(places))])

        with torch.no_grad(), unittest.mock.patch("torch.multinomial", draw):
            out = model.generate(torch.tensor([prompt]), attention_mask=torch.ones(1, len(prompt)), generation_config=config)
        expected = [(list(filter(lambda id: id != VOCAB + 1, row.tolist())), score) for row, score in zip(out.sequences, out.sequences_scores.tolist())]
        found = library.beam_search(chosen.Beams(beams, max_length, penalty, STOPPING[stopping], 0), chosen.sampler({**settings, **drawn, "max_length": max_length, "seed": seed}),
                                    prompt, VOCAB, logits_of)
        early += any(len(tokens) < max_length for tokens, _ in found)
        ok = [one for one, _ in expected] == [one for one, _ in found] and np.allclose([one for _, one in expected], [one for _, one in found], 1e-4, 1e-4)
        if not ok:
            wrong += 1
            print(f"case {case}: {settings | drawn}, {beams} beams, penalty {penalty}, {stopping}: expected {expected}, found {found}")
    print(f"{CASES} searches, {early} with texts that end early, {wrong} differ")
    sys.exit(wrong > 0 or early < CASES // 8)


if __name__ == "__main__":
    main()
