# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_model.py stories260K.bin tok512.bin: writes stories.onnx and tokenizer.json, as an exporter would: a decoder with caches, its weights as float16
that is read as float32, and a tokenizer.json. README.md says where the two files are from."""
import json
import struct
import sys

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser

EPSILON = 1e-5


def layer(i):
    """Text of a layer: x{i} to x{i + 1}. Each head of keys and values serves several of queries."""
    return f"""
      {norm(f"x{i}", f"attention_norm{i}", f"a{i}")}
      {heads(f"a{i}", f"wq{i}", "by_head", f"q{i}")}
      {heads(f"a{i}", f"wk{i}", "by_kv_head", f"k{i}")}
      {heads(f"a{i}", f"wv{i}", "by_kv_head", f"value{i}")}
      turned{i} = com.microsoft.RotaryEmbedding <interleaved = 1> (q{i}, position_ids, cosines, sines)
      key{i} = com.microsoft.RotaryEmbedding <interleaved = 1> (k{i}, position_ids, cosines, sines)
      key_out{i} = Concat <axis = 2> (key_in{i}, key{i})
      value_out{i} = Concat <axis = 2> (value_in{i}, value{i})
      query{i} = Reshape (turned{i}, by_group)
      keys{i} = Unsqueeze (key_out{i}, two)
      by_row{i} = Transpose <perm = [0, 1, 2, 4, 3]> (keys{i})
      values{i} = Unsqueeze (value_out{i}, two)
      raw{i} = MatMul (query{i}, by_row{i})
      scores{i} = Mul (raw{i}, scale)
      masked{i} = Add (scores{i}, mask)
      shares{i} = Softmax <axis = -1> (masked{i})
      mixed{i} = MatMul (shares{i}, values{i})
      split{i} = Reshape (mixed{i}, of_heads)
      rows{i} = Transpose <perm = [0, 2, 1, 3]> (split{i})
      o{i} = Reshape (rows{i}, of_rows)
      p{i} = MatMul (o{i}, wo{i})
      h{i} = Add (x{i}, p{i})
      {norm(f"h{i}", f"forward_norm{i}", f"f{i}")}
      gate{i} = MatMul (f{i}, w1_{i})
      up{i} = MatMul (f{i}, w3_{i})
      sigmoid{i} = Sigmoid (gate{i})
      silu{i} = Mul (gate{i}, sigmoid{i})
      gated{i} = Mul (silu{i}, up{i})
      down{i} = MatMul (gated{i}, w2_{i})
      x{i + 1} = Add (h{i}, down{i})"""


def heads(x, weight, shape, to):
    return f"""{to}_flat = MatMul ({x}, {weight})
      {to}_split = Reshape ({to}_flat, {shape})
      {to} = Transpose <perm = [0, 2, 1, 3]> ({to}_split)"""


def norm(x, weight, to):
    """Scaled by the root of the mean of squares."""
    return f"""{to}_squares = Mul ({x}, {x})
      {to}_mean = ReduceMean <axes = [-1]> ({to}_squares)
      {to}_sum = Add ({to}_mean, epsilon)
      {to}_root = Sqrt ({to}_sum)
      {to}_scaled = Div ({x}, {to}_root)
      {to} = Mul ({to}_scaled, {weight})"""


def read_weights(path):
    """llama2.c's first format: seven sizes, and the tensors one behind the other."""
    with open(path, "rb") as file:
        names = ("dim", "hidden", "layers", "heads", "kv_heads", "vocabulary", "positions")
        sizes = dict(zip(names, struct.unpack("7i", file.read(28))))
        numbers = np.frombuffer(file.read(), np.float32)
    dim, hidden, layers, head = sizes["dim"], sizes["hidden"], sizes["layers"], sizes["dim"] // sizes["heads"]
    kv, at, weights = head * sizes["kv_heads"], 0, {}

    def take(*shape):
        nonlocal at
        at += int(np.prod(shape))
        return numbers[at - int(np.prod(shape)):at].reshape(shape)

    weights["embedding"] = take(sizes["vocabulary"], dim)
    for name, shape in (("attention_norm", (dim,)), ("wq", (dim, dim)), ("wk", (kv, dim)), ("wv", (kv, dim)), ("wo", (dim, dim)), ("forward_norm", (dim,)),
                        ("w1_", (hidden, dim)), ("w2_", (dim, hidden)), ("w3_", (hidden, dim))):
        for i in range(layers):
            weights[f"{name}{i}"] = take(*shape).T
    weights["last_norm"] = take(dim)
    weights["cosines"], weights["sines"] = take(sizes["positions"], head // 2), take(sizes["positions"], head // 2)
    return sizes, weights


def make_model(sizes, weights):
    layers, head, kv_heads = range(sizes["layers"]), sizes["dim"] // sizes["heads"], sizes["kv_heads"]
    caches_in = ", ".join(f"float[batch, {kv_heads}, held, {head}] {name}_in{i}" for i in layers for name in ("key", "value"))
    caches_out = ", ".join(f"float[batch, {kv_heads}, all, {head}] {name}_out{i}" for i in layers for name in ("key", "value"))
    text = f"""<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
    stories (int64[batch, fresh] input_ids, int64[batch, fresh] position_ids, float[batch, all] attention_mask, {caches_in})
      => (float[batch, fresh, {sizes["vocabulary"]}] logits, {caches_out})
    <float epsilon = {{{EPSILON}}}, float scale = {{{head ** -0.5}}}, int64[1] two = {{2}}, int64[1] one = {{1}}, float far = {{-1e30}}, float none = {{0}},
     int64 first = {{0}}, int64 step = {{1}}, int64 at_rows = {{1}},
     int64[4] by_head = {{0, 0, {sizes["heads"]}, {head}}}, int64[4] by_kv_head = {{0, 0, {kv_heads}, {head}}},
     int64[5] by_group = {{0, {kv_heads}, {sizes["heads"] // kv_heads}, -1, {head}}}, int64[4] of_heads = {{0, {sizes["heads"]}, -1, {head}}},
     int64[3] of_rows = {{0, 0, {sizes["dim"]}}}>
    {{
      x0 = Gather (embedding, input_ids)
      shape = Shape (attention_mask)
      count = Gather (shape, at_rows)
      columns = Range (first, count, step)
      at_row = Unsqueeze (position_ids, two)
      is_hidden = Greater (columns, at_row)
      mask_rows = Where (is_hidden, far, none)
      mask_groups = Unsqueeze (mask_rows, one)
      mask = Unsqueeze (mask_groups, one)
      {"".join(layer(i) for i in layers)}
      {norm(f'x{sizes["layers"]}', "last_norm", "last")}
      by_column = Transpose (embedding)
      logits = MatMul (last, by_column)
    }}"""
    model = onnx.parser.parse_model(text)
    casts = []
    for name, value in weights.items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.ascontiguousarray(value, np.float16), f"{name}_half"))
        casts.append(onnx.helper.make_node("Cast", [f"{name}_half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model


def read_pieces(path):
    with open(path, "rb") as file:
        data = file.read()
    pieces, at = [], 4
    while at < len(data):
        size = struct.unpack_from("<fi", data, at)[1]
        pieces.append(data[at + 8:at + 8 + size].decode())
        at += 8 + size
    return ["<unk>", "<s>", "</s>", *pieces[3:]]


def make_tokenizer(pieces):
    """The pieces behind those of bytes are in the order in which they merge."""
    words = [piece.replace(" ", "▁") if i > 258 else piece for i, piece in enumerate(pieces)]
    ids = {word: i for i, word in enumerate(words)}
    merges = [[word[:cut], word[cut:]] for word in words[259:] for cut in range(1, len(word)) if word[:cut] in ids and word[cut:] in ids]
    special = [{"id": i, "content": words[i], "special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False} for i in range(3)]
    begin = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    return {
        "version": "1.0", "added_tokens": special,
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "post_processor": {"type": "TemplateProcessing", "single": [begin, {"Sequence": {"id": "A", "type_id": 0}}], "pair": [begin, {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
                           "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
        "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
                                                     {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
        "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True, "vocab": ids, "merges": merges}}


def main():
    onnx.save(make_model(*read_weights(sys.argv[1])), "stories.onnx")
    with open("tokenizer.json", "w", encoding="utf-8") as file:
        json.dump(make_tokenizer(read_pieces(sys.argv[2])), file, ensure_ascii=False, indent=None)
        file.write("\n")


if __name__ == "__main__":
    main()
