# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nets.py FOLDER: models as exporters name them, adapters of theirs, and the same models with what the adapters add in their weights. All numbers are
small multiples of powers of two, so that sums are exact in any order."""
import json
import os
import sys

import numpy as np
import onnx
import onnx.parser
import onnxruntime
from onnx import numpy_helper
from safetensors.numpy import load_file, save_file

FOLDER = sys.argv[1]
random = np.random.default_rng(3)


def numbers(*shape, kind=np.float32):
    return (random.integers(-8, 9, shape) / 4).astype(kind)


def save(name, text, weights):
    model = onnx.parser.parse_model(text)
    model.graph.initializer.extend(numpy_helper.from_array(value, key) for key, value in weights.items())
    onnx.save(model, f"{FOLDER}/{name}.onnx")


def save_peft(name, tensors, **config):
    """As PEFT does: safetensors, and its configuration beside."""
    os.makedirs(f"{FOLDER}/{name}", exist_ok=True)
    save_file({f"base_model.model.{key}": np.asarray(value, order="C") for key, value in tensors.items()}, f"{FOLDER}/{name}/adapter_model.safetensors")
    with open(f"{FOLDER}/{name}/adapter_config.json", "w", encoding="utf-8") as file:
        json.dump({"peft_type": "LORA", "r": 2, "lora_alpha": 4, **config}, file)


WEIGHTS = {
    "model.embed_tokens.weight": numbers(6, 4),
    "model.layers.0.self_attn.q_proj.weight": numbers(4, 4),
    "onnx::MatMul_12": numbers(4, 4),
    "half": numbers(4, 4, kind=np.float16),
    "model.layers.1.attn.qkv_proj.MatMul.weight": numbers(4, 8),
    "fc.weight": numbers(3, 4), "fc.bias": numbers(3),
    "transformer.h.0.attn.c_attn.weight": numbers(4, 6),
    "conv.weight": numbers(2, 1, 2, 2),
    "model.norm.weight": numbers(4),
}
HEAD = """<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
net (int64[3] ids) => (float[3, 4] q, float[3, 4] k, float[3, 4] v, float[3, 8] qkv, float[3, 3] fc, float[3, 6] c, float[1, 2, 2, 3] pictures, float[3, 6] logits)"""
BODY = """{
  x = Gather (model.embed_tokens.weight, ids)
  turned = Transpose (model.layers.0.self_attn.q_proj.weight)
  q = MatMul (x, turned)
  [/model/layers.0/self_attn/k_proj/MatMul] k = MatMul (x, "onnx::MatMul_12")
  whole = Cast <to = 1> (half)
  [/model/layers.0/self_attn/v_proj/MatMul] v = MatMul (x, whole)
  [/model/layers.1/attn/qkv_proj/MatMul] qkv = MatMul (x, model.layers.1.attn.qkv_proj.MatMul.weight)
  fc = Gemm <transB = 1> (x, fc.weight, fc.bias)
  c = Gemm (x, transformer.h.0.attn.c_attn.weight)
  map = Unsqueeze (x, places)
  pictures = Conv (map, conv.weight)
  normal = Mul (x, model.norm.weight)
  columns = Transpose (HEAD)
  [/lm_head/MatMul] logits = MatMul (normal, columns)
}"""


def net(head):
    """With names that the text form takes: the others are put in behind."""
    text = BODY.replace("HEAD", head)
    names = {name: f"w{i}" for i, name in enumerate([*WEIGHTS, "lm_head.weight"])}
    for name, short in sorted(names.items(), key=lambda entry: -len(entry[0])):
        text = text.replace(f'"{name}"', short).replace(f"({name}", f"({short}").replace(f", {name}", f", {short}")
    places = [line.split("]")[0].strip(" [") for line in text.splitlines() if line.startswith("  [")]
    text = "\n".join(line.split("] ", 1)[-1] if line.startswith("  [") else line for line in text.splitlines())
    model = onnx.parser.parse_model(HEAD + "<int64[2] places = {0, 1}>" + text)
    long = {short: name for name, short in names.items()}
    for node in model.graph.node:
        node.input[:] = [long.get(name, name) for name in node.input]
        for place in places:
            if place.split("/")[-2] in ({"k": "k_proj", "v": "v_proj", "qkv": "qkv_proj", "logits": "lm_head"}.get(node.output[0]),):
                node.name = place
    return model


def save_net(name, weights, head="model.embed_tokens.weight"):
    model = net(head)
    model.graph.initializer.extend(numpy_helper.from_array(np.ascontiguousarray(value), key) for key, value in weights.items())
    onnx.checker.check_model(model)
    onnx.save(model, f"{FOLDER}/{name}.onnx")


def pair(outputs, inputs, kind=np.float32):
    return numbers(2, inputs, kind=kind), numbers(outputs, 2, kind=kind)


save_net("base", WEIGHTS)
PAIRS = {
    "model.layers.0.self_attn.q_proj": pair(4, 4), "model.layers.0.self_attn.k_proj": pair(4, 4), "model.layers.0.self_attn.v_proj": pair(4, 4, np.float16),
    "model.layers.1.self_attn.q_proj": pair(4, 4), "model.layers.1.self_attn.k_proj": pair(2, 4), "model.layers.1.self_attn.v_proj": pair(2, 4),
    "fc": pair(3, 4), "transformer.h.0.attn.c_attn": pair(6, 4),
}
TENSORS = {}
for module, (a, b) in PAIRS.items():
    TENSORS |= {f"{module}.lora_A.weight": a, f"{module}.lora_B.weight": b}
CONV = numbers(2, 1, 2, 2), numbers(2, 2, 1, 1)
TABLE = numbers(2, 6), numbers(4, 2)
TENSORS |= {"conv.lora_A.weight": CONV[0], "conv.lora_B.weight": CONV[1], "model.embed_tokens.lora_embedding_A": TABLE[0], "model.embed_tokens.lora_embedding_B": TABLE[1]}
WHOLE = {"fc.bias": numbers(3), "model.norm.weight": numbers(4), "lm_head.weight": numbers(6, 4)}
save_peft("lora", {**TENSORS, **WHOLE}, alpha_pattern={"fc": 1, "self_attn.k_proj": 8}, use_dora=False)
save_peft("copies", TENSORS, alpha_pattern={"(((a{255}){255}){255})": 1})


def delta(module, scale=2.0):
    a, b = (value.astype(np.float64) for value in PAIRS[module])
    return scale * (b @ a)


merged = dict(WEIGHTS)
merged["model.layers.0.self_attn.q_proj.weight"] = (WEIGHTS["model.layers.0.self_attn.q_proj.weight"] + delta("model.layers.0.self_attn.q_proj")).astype(np.float32)
merged["onnx::MatMul_12"] = (WEIGHTS["onnx::MatMul_12"] + delta("model.layers.0.self_attn.k_proj", 4.0).T).astype(np.float32)
merged["half"] = (WEIGHTS["half"] + delta("model.layers.0.self_attn.v_proj").T).astype(np.float16)
packed = np.concatenate([delta("model.layers.1.self_attn.q_proj"), delta("model.layers.1.self_attn.k_proj", 4.0), delta("model.layers.1.self_attn.v_proj")])
merged["model.layers.1.attn.qkv_proj.MatMul.weight"] = (WEIGHTS["model.layers.1.attn.qkv_proj.MatMul.weight"] + packed.T).astype(np.float32)
merged["fc.weight"] = (WEIGHTS["fc.weight"] + delta("fc", 0.5)).astype(np.float32)
merged["transformer.h.0.attn.c_attn.weight"] = (WEIGHTS["transformer.h.0.attn.c_attn.weight"] + delta("transformer.h.0.attn.c_attn").T).astype(np.float32)
merged["conv.weight"] = (WEIGHTS["conv.weight"] + 2.0 * np.einsum("or,rikl->oikl", CONV[1][:, :, 0, 0], CONV[0])).astype(np.float32)
merged["model.embed_tokens.weight"] = (WEIGHTS["model.embed_tokens.weight"] + 2.0 * (TABLE[1] @ TABLE[0]).T).astype(np.float32)
save_net("merged", {**merged, **WHOLE}, "lm_head.weight")

# rsLoRA, and a second adapter behind the first.
save_peft("roots", {"fc.lora_A.weight": numbers(4, 4), "fc.lora_B.weight": numbers(3, 4)}, use_rslora=True, r=4)
roots = load_file(f"{FOLDER}/roots/adapter_model.safetensors")
twice = dict(merged)
twice["fc.weight"] = (merged["fc.weight"] + 2.0 * (roots["base_model.model.fc.lora_B.weight"].astype(np.float64) @ roots["base_model.model.fc.lora_A.weight"])).astype(np.float32)
save_net("twice", {**twice, **WHOLE}, "lm_head.weight")

# Weights of few bits.
BITS = """<ir_version: 10, opset_import: ["" : 21, "com.microsoft" : 1]>
net (float[2, 16] x) => (float[2, 5] n, float[2, 3] d) {
  few = com.microsoft.MatMulNBits <K = 16, N = 5, bits = 4, block_size = 16> (x, bytes, scales)
  wide = DequantizeLinear (small, scale)
  turned = Transpose (wide)
  dense = MatMul (x, turned)
  MORE
}"""
bits = {"bytes": random.integers(0, 256, (5, 1, 8)).astype(np.uint8), "scales": np.full(5, 0.5, np.float32), "small": random.integers(-8, 8, (3, 16)).astype(np.int8),
        "scale": np.float32(0.25)}


def save_bits(name, more, weights):
    model = onnx.parser.parse_model(BITS.replace("MORE", more))
    for node in model.graph.node:
        node.name = {"few": "/m/few/MatMul", "dense": "/m/dense/MatMul"}.get(node.output[0], "")
    model.graph.initializer.extend(numpy_helper.from_array(np.asarray(value), key) for key, value in weights.items())
    onnx.save(model, f"{FOLDER}/{name}.onnx")


FEW, DENSE = (numbers(2, 16), numbers(5, 2)), (numbers(2, 16), numbers(3, 2))
save_bits("bits", "n = Identity (few) d = Identity (dense)", bits)
save_peft("bits", {"m.few.lora_A.weight": FEW[0], "m.few.lora_B.weight": FEW[1], "m.dense.lora_A.weight": DENSE[0], "m.dense.lora_B.weight": DENSE[1]})
save_bits("beside", "a = MatMul (x, fa) b = MatMul (a, fb) n = Add (few, b) e = MatMul (x, da) f = MatMul (e, db) d = Add (dense, f)",
          {**bits, "fa": np.ascontiguousarray(FEW[0].T), "fb": np.ascontiguousarray(2 * FEW[1].T), "da": np.ascontiguousarray(DENSE[0].T), "db": np.ascontiguousarray(2 * DENSE[1].T)})

# Matrices that are inputs.
INPUTS = """<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 4] x, float[4, lora_r] fc.lora_A, float[lora_r, 5] fc.lora_B) => (float[2, 5] y) {
  a = MatMul (x, fc.lora_A)
  b = MatMul (a, fc.lora_B)
  dense = MatMul (x, w)
  y = Add (dense, b)
}""".replace("fc.lora", "lora")
w, a, b = numbers(4, 5), numbers(4, 3), numbers(3, 5)
for name, weights in {"inputs": {"w": w}, "optional": {"w": w, "lora_A": np.zeros((4, 0), np.float32), "lora_B": np.zeros((0, 5), np.float32)}}.items():
    save(name, INPUTS, weights)
for name, values in {"three": {"lora_A": a, "lora_B": b}, "wrong": {"lora_A": a[:3], "lora_B": b}, "other": {"lora_C": a}, "double": {"lora_A": a[:1, :1] * 0 + 1, "lora_B": a[:1, :1] * 0 + 1}}.items():
    adapter = onnxruntime.AdapterFormat()
    adapter.set_adapter_version(1)
    adapter.set_model_version(1)
    adapter.set_parameters({key: onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(value)) for key, value in values.items()})
    adapter.export_adapter(f"{FOLDER}/{name}.onnx_adapter")
save("decoder", """<ir_version: 8, opset_import: ["" : 17]>
net (int64[b, s] input_ids, float[1, lora_r] lora_A, float[lora_r, 1] lora_B, float[b, n, 1] past) => (float[b, s, 16] logits, float[b, m, 1] present)
<float one = {1}> {
  x = Gather (table, input_ids)
  present = Concat <axis = 1> (past, x)
  a = MatMul (x, lora_A)
  more = MatMul (a, lora_B)
  following = Sum (x, one, more)
  distance = Sub (following, columns)
  size = Abs (distance)
  logits = Neg (size)
}""", {"table": np.arange(16, dtype=np.float32).reshape(16, 1), "columns": np.arange(16, dtype=np.float32).reshape(1, 16)})
x = numbers(2, 4)
np.save(f"{FOLDER}/x.npy", x)
options = onnxruntime.RunOptions()
loaded = onnxruntime.LoraAdapter()
loaded.Load(f"{FOLDER}/three.onnx_adapter")
options.add_active_adapter(loaded)
session = onnxruntime.InferenceSession(f"{FOLDER}/optional.onnx")
np.save(f"{FOLDER}/with.npy", session.run(None, {"x": x}, options)[0])
np.save(f"{FOLDER}/without.npy", session.run(None, {"x": x})[0])
np.save(f"{FOLDER}/lora_A.npy", a)
np.save(f"{FOLDER}/lora_B.npy", b)

# What is refused.
fc = {"fc.lora_A.weight": numbers(2, 4), "fc.lora_B.weight": numbers(3, 2)}
save_peft("lost", {"gone.lora_A.weight": numbers(2, 4), "gone.lora_B.weight": numbers(3, 2), "too.lora_A.weight": numbers(2, 4), "too.lora_B.weight": numbers(3, 2)})
save_peft("narrow", {"fc.lora_A.weight": numbers(2, 5), "fc.lora_B.weight": numbers(3, 2)})
save_peft("ranks", {"fc.lora_A.weight": numbers(2, 4), "fc.lora_B.weight": numbers(3, 3)})
save_peft("single", {"fc.lora_A.weight": numbers(2, 4)})
save_peft("vectors", {**fc, "fc.lora_magnitude_vector": numbers(3)})
save_peft("shapes", {"fc.bias": numbers(4)})
save_peft("dora", fc, use_dora=True)
save_peft("ia3", fc, peft_type="IA3")
save_peft("config", fc)
os.remove(f"{FOLDER}/config/adapter_config.json")
save_peft("wrapped", {"fc.modules_to_save.weight": np.ones((3, 4), np.float32), "fc.weight": np.zeros((3, 4), np.float32)})
save_peft("whole", {**fc, "fc.weight": np.ones((3, 4), np.float32)})
save_peft("word", fc, use_rslora="true")
save_peft("list", fc, alpha_pattern=[1])

# Weights of one number, without dims.
SCALED = """<ir_version: 8, opset_import: ["": 17]> agraph (float[4] x) => (float[4] y) { y = Mul (x, "scale.weight") }"""
save("scale", SCALED, {"scale.weight": np.array(3, np.float32)})
save("scaled", SCALED, {"scale.weight": np.array(5, np.float32)})
save_peft("scale", {"scale.weight": np.array(5, np.float32)})
save_peft("scales", {"scale.weight": np.array([5], np.float32)})

# An encoder-decoder, whose layers are called alike: following = decoder.fc * token + sum of encoder.fc * tokens.
PAIR = f"{FOLDER}/pair"
os.makedirs(PAIR, exist_ok=True)
one, identity = np.ones((1, 1), np.float32), np.eye(2, dtype=np.float32)
save("pair/encoder_model", """<ir_version: 8, opset_import: ["" : 17]>
encoder (int64[b, l] input_ids) => (float[b, l, 2] states) {
  x = Gather (table, input_ids)
  states = MatMul (x, fc.weight)
}""".replace("fc.weight", "w"), {"table": np.stack([np.arange(16), np.zeros(16)], 1).astype(np.float32), "w": identity})
save("pair/decoder_model", """<ir_version: 8, opset_import: ["" : 17]>
net (int64[b, s] input_ids, float[b, l, 2] states, float[b, n, 1] past) => (float[b, s, 16] logits, float[b, m, 1] present)
<int64[2] axes = {1, 2}> {
  x = Gather (table, input_ids)
  present = Concat <axis = 1> (past, x)
  y = MatMul (x, w)
  sum = ReduceSum (states, axes)
  following = Add (y, sum)
  distance = Sub (following, columns)
  size = Abs (distance)
  logits = Neg (size)
}""", {"table": np.arange(16, dtype=np.float32).reshape(16, 1), "columns": np.arange(16, dtype=np.float32).reshape(1, 16), "w": one})
for part in ("encoder", "decoder"):
    model = onnx.load(f"{PAIR}/{part}_model.onnx")
    for tensor in model.graph.initializer:
        tensor.name = "fc.weight" if tensor.name == "w" else tensor.name  # as of what is exported by itself
    for node in model.graph.node:
        node.input[:] = ["fc.weight" if name == "w" else name for name in node.input]
    onnx.save(model, f"{PAIR}/{part}_model.onnx")
with open(f"{PAIR}/generation_config.json", "w", encoding="utf-8") as file:
    json.dump({"decoder_start_token_id": 0}, file)
ENCODER = {"model.encoder.fc.lora_A.weight": np.array([[0.5, 0]], np.float32), "model.encoder.fc.lora_B.weight": np.array([[0.5], [0]], np.float32)}
DECODER = {"model.decoder.fc.lora_A.weight": one / 2, "model.decoder.fc.lora_B.weight": one / 2}
save_peft("pair/encoder_lora", ENCODER, r=1)
save_peft("pair/decoder_lora", DECODER, r=1)
save_peft("pair/both", {**ENCODER, **DECODER}, r=1)
save_peft("pair/lost", {**ENCODER, "model.encoder.gone.lora_A.weight": one, "model.encoder.gone.lora_B.weight": one}, r=1)

# What is not switched.
save_peft("convolution", {"conv.lora_A.weight": CONV[0], "conv.lora_B.weight": CONV[1]})
save("taken", """<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 4] adapters) => (float[2, 3] y) {
  y = Gemm <transB = 1> (adapters, w)
}""", {"w": numbers(3, 4)})
save_peft("taken", fc)
