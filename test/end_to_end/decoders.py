#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""decoders.py SINTER FOLDER [NET...]: tiny random decoders of several architectures, exported by transformers with their caches, go on from a prompt as
transformers' own greedy generation and its beam search do, token for token, also with drafts and with an adapter as PEFT writes it, and by contrastive
search as its formula says; caches of growing and of fixed size; Dropout that the exporter leaves in training mode; prompts of several lengths side by
side, as transformers' batch that is padded on the left. Exits 77 (skipped) without the exporter."""
import importlib.util
import json
import os
import subprocess
import sys
import warnings

from peft_adapter import train

PROMPT, TOKENS, CONTEXT, BEAMS = [1, 5, 7], 24, 64, 3
PROMPTS = [PROMPT, [9, 2, 6, 5, 3, 5, 8], [4]]
ALPHA, CANDIDATES = 0.6, 4
COMMON = {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 128, "intermediate_size": 48}
GROUPED = {**COMMON, "num_key_value_heads": 2}
NETS = {"Llama": GROUPED, "Qwen2": GROUPED, "GPTNeoX": COMMON, "Phi": COMMON, "Gemma": {**GROUPED, "head_dim": 8},
        "OPT": {**COMMON, "ffn_dim": 48, "word_embed_proj_dim": 32}}  # fmt: skip
WITH_POSITIONS = {"Qwen2"}  # as an input; OPT makes them of its mask, the others count them


def contrasted(model):
    """Contrastive search by the formula, each time over the whole text: what transformers up to 4.5x does with penalty_alpha and top_k."""
    import torch

    def states(text):
        made = model(torch.tensor([text]), output_hidden_states=True)
        return made.logits[0, -1], torch.nn.functional.normalize(made.hidden_states[-1][0], dim=-1)

    text = list(PROMPT)
    with torch.no_grad():
        for _ in range(TOKENS):
            logits, before = states(text)
            likeliest = zip(*torch.softmax(logits, -1).topk(CANDIDATES))
            scores = {int(token): float((1 - ALPHA) * p - ALPHA * (before @ states([*text, int(token)])[1][-1]).max()) for p, token in likeliest}
            text.append(max(scores, key=scores.get))
    return text[len(PROMPT) :]


def export(name, config, is_static, path):
    import onnx_ir
    import torch
    import transformers
    from transformers.exporters import OnnxConfig, OnnxExporter

    batch = 1 if is_static else 2  # of what is exported: one of 1 stays so
    torch.manual_seed(3)
    config = getattr(transformers, f"{name}Config")(**config)
    model = getattr(transformers, f"{name}ForCausalLM")(config).eval()
    for parameter in model.parameters():  # louder than they are initialized, so that tokens vary
        parameter.data *= 4
    cache = transformers.StaticCache(config=config, max_cache_len=CONTEXT) if is_static else None
    with torch.no_grad():
        cache = model(torch.tensor([PROMPT] * batch), past_key_values=cache, use_cache=True).past_key_values
    inputs = {"input_ids": torch.tensor([[2, 3]] * batch), "past_key_values": cache, "use_cache": True}
    if not is_static:
        inputs["attention_mask"] = torch.ones(batch, len(PROMPT) + 2, dtype=torch.int64)
    if not is_static and name in WITH_POSITIONS:
        inputs["position_ids"] = torch.tensor([[len(PROMPT), len(PROMPT) + 1]] * batch)
    program = OnnxExporter().export(model, inputs, config=OnnxConfig(dynamic=True)).program
    onnx_ir.save(program, path)

    def generate(end, **settings):
        made = model.generate(torch.tensor([PROMPT]), max_new_tokens=TOKENS, do_sample=False, eos_token_id=end, pad_token_id=0, **settings)
        return made[0, len(PROMPT) :].tolist()

    def side_by_side():
        longest = max(map(len, PROMPTS))
        ids = [[0] * (longest - len(each)) + each for each in PROMPTS]
        mask = [[0] * (longest - len(each)) + [1] * len(each) for each in PROMPTS]
        made = model.generate(torch.tensor(ids), attention_mask=torch.tensor(mask), max_new_tokens=TOKENS, do_sample=False, eos_token_id=None, pad_token_id=0)
        return made[:, longest:].tolist()

    greedy = generate(None)
    end = greedy[TOKENS // 2]
    best = generate(end, num_beams=BEAMS)
    contrast = contrasted(model)
    together = side_by_side()
    return greedy, end, best, contrast, together, generate(None) if train(model, path + ".lora") else []


def written_bytes(sinter, path):
    """Of each state the most bytes that a call of one token writes, and how many one row of a cache has."""
    out = f"{path}.d"
    subprocess.run([sinter, path, "--decoder", "--context", str(CONTEXT), "--chunk", "1", "--prefix", "m", "-o", out + "/"], capture_output=True, check=True)
    with open(f"{out}/m_report.json", encoding="utf-8") as file:
        states = json.load(file)["states"]
    return [state["written_bytes"] for state in states], max(state["bytes"] for state in states) // CONTEXT


def goes_side_by_side(command, label, expected, takes_padding):
    """Prompts of several lengths, in the same calls where the decoder takes padding."""
    several = [word for prompt in PROMPTS for word in ("--ids", ",".join(map(str, prompt)))]
    at = command.index("--ids")
    done = subprocess.run([*command[:at], *several, *command[at + 2 :], "--chunk", "4"], capture_output=True, text=True, check=False)
    made = json.loads(done.stdout).get("tokens") if done.stdout else None
    is_as_told = ("one after the other" in done.stderr) != takes_padding
    print(f"{label}, {'side by side' if takes_padding else 'one after the other'}: {'as transformers' if made == expected and is_as_told else f'{made} instead of {expected}: {done.stderr[-800:]}'}")
    return made == expected and is_as_told


def main():
    sinter, folder = sys.argv[1:3]
    missing = [name for name in ("torch", "transformers", "onnxscript", "onnx_ir", "safetensors") if importlib.util.find_spec(name) is None]
    if missing or importlib.util.find_spec("transformers.exporters") is None:
        print(f"skipped: {sys.executable} lacks {', '.join(missing) or 'an exporter in transformers'}")
        return 1 if os.environ.get("SINTER_REQUIRE_MODELS") else 77
    warnings.filterwarnings("ignore")
    os.makedirs(folder, exist_ok=True)
    failures = 0
    chosen = {name: config for name, config in NETS.items() if name in (sys.argv[3:] or NETS)}
    for name, config, is_static in [*((name, config, False) for name, config in chosen.items()), *(("Llama", GROUPED, True) for name in chosen if name == "Llama")]:
        label = name + (" with caches of fixed size" if is_static else "")
        path = os.path.join(folder, f"{name}{'_fixed' if is_static else ''}.onnx")
        greedy, end, best, contrast, together, trained = export(name, config, is_static, path)
        ids = ",".join(map(str, PROMPT))
        command = [sinter, "generate", path, "--ids", ids, "--tokens", str(TOKENS), "--context", str(CONTEXT), "-O0", "--json"]
        drafts = [("drafts of its own", ["--draft", path, "--speculate", "3"], greedy)] if name == "Llama" else []
        contrastive = ["--penalty-alpha", str(ALPHA), "--top-k", str(CANDIDATES), "--chunk", "2"]
        for how, more, expected in (("greedy", ["--chunk", "2"], greedy), ("contrastive", contrastive, contrast), ("adapter", ["--adapter", path + ".lora"], trained), ("beams", ["--chunk", "2", "--beams", str(BEAMS), "--stop", str(end)], best), *drafts):
            done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
            made = json.loads(done.stdout).get("tokens", [None])[0] if done.stdout else None
            print(f"{label}, {how}: {'as transformers' if made == expected else f'{made} instead of {expected}: {done.stderr[-800:]}'}")
            failures += made != expected
        failures += not is_static and not goes_side_by_side(command, label, together, name in {*WITH_POSITIONS, "OPT"})
        written, rows = written_bytes(sinter, path)
        if any(bytes_ > rows for bytes_ in written):
            print(f"{label}: of states a call of one token writes {written} bytes, a row has {rows}")
            failures += 1
    return failures


if __name__ == "__main__":
    sys.exit(main())
