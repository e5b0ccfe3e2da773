#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generation_nets.py KIND OPERATOR OUT.onnx [NAME=VALUE ...]: a small net with random weights under a generation operator of com.microsoft.

Sizes may be names in capitals: symbolic dims. KIND: gpt, t5 (an encoder that begins decoding), t5-cross (one that does not) or whisper. Names: sizes and choices of the net
(below), operands of the operator (numbers, in lists where they are several), and its attributes; outputs=N, or names with commas: which outputs;
runtime=NAMES: operands that only a call knows.
"""
import ast
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

INT, FLOAT = TensorProto.INT32, TensorProto.FLOAT
OPERANDS = {
    "GreedySearch": ["max_length", "min_length", "repetition_penalty", "vocab_mask", "prefix_vocab_mask", "attention_mask"],
    "BeamSearch": ["max_length", "min_length", "num_beams", "num_return_sequences", "length_penalty", "repetition_penalty", "vocab_mask", "prefix_vocab_mask",
                   "attention_mask", "decoder_input_ids", "logits_processor"],
}
OPERANDS["Sampling"] = OPERANDS["GreedySearch"] + ["presence_mask", "seed"]
OPERANDS["WhisperBeamSearch"] = OPERANDS["BeamSearch"] + ["cross_qk_layer_head", "extra_decoding_ids", "temperature"]
OUTPUTS = {
    "GreedySearch": ["sequences"],
    "Sampling": ["sequences", "filtered_logits"],
    "BeamSearch": ["sequences", "sequences_scores", "scores"],
    "WhisperBeamSearch": ["sequences", "sequences_scores", "scores", "cross_qk", "non_speech_probs"],
}
FLOATS = {"repetition_penalty", "length_penalty", "temperature"}
REALS = {"top_p", "filter_value", "presence_penalty"}


class Net:
    """Sizes, and weights that all subgraphs share: initializers of the outer graph, or of each (onnxruntime gives some kinds of subgraphs the
    outer values of others too, and fails)."""

    def __init__(self, names, own):
        self.own = own

        def take(name, default):
            return names.pop(name, default)

        self.batch, self.steps, self.vocabulary = take("batch", 2), take("steps", 4), take("vocabulary", 12)
        self.heads, self.layers, self.features, self.frames = take("heads", 2), take("layers", 1), take("features", 6), take("frames", 5)
        self.scale, self.outputs, self.sharing, self.init = take("scale", 2.0), take("outputs", 1), take("sharing", 0), take("init", 0)
        self.hidden, self.sequence, self.prompt = take("hidden", 1), take("sequence", 0), take("prompt", None)
        self.runtime, self.half = take("runtime", []), take("half", 0)
        self.size = 4
        self.width = self.heads * self.size
        self.random = np.random.default_rng(take("weights", 1))
        self.initializers = {}

    def weight(self, name, *shape, scale=1.0):
        if name not in self.initializers:
            self.constant(name, (self.random.standard_normal(shape) * scale).astype(np.float32))
        return name

    def constant(self, name, value):
        self.initializers[name] = numpy_helper.from_array(np.asarray(value), name)
        return name


class Body:
    """Nodes of one subgraph."""

    def __init__(self, net, name):
        self.net, self.name, self.nodes, self.count = net, name, [], 0

    def add(self, kind, *inputs, outputs=None, domain="", **attributes):
        outputs = outputs or [f"{self.name}_{self.count}"]
        self.count += 1
        self.nodes.append(helper.make_node(kind, list(inputs), outputs, domain=domain, **attributes))
        return outputs[0]

    def project(self, x, name, to=None):
        return self.add("MatMul", x, self.net.weight(name, self.net.width, to or self.net.width, scale=self.net.width**-0.5))

    def logits(self, x):
        net = self.net
        return self.add("MatMul", x, net.weight("out", net.width, net.vocabulary, scale=net.scale), outputs=["logits"])

    def embedded(self, tokens, table="table"):
        return self.add("Gather", self.net.weight(table, self.net.vocabulary, self.net.width), tokens)

    def graph(self, inputs, outputs):
        read = {name for node in self.nodes for name in node.input}
        weights = [weight for name, weight in self.net.initializers.items() if self.net.own and name in read]
        return helper.make_graph(self.nodes, self.name, [helper.make_tensor_value_info(*x) for x in inputs], [helper.make_tensor_value_info(*y) for y in outputs], weights)


def sharing_inputs(net):
    return [("past_sequence_length", INT, [1]), ("beam_width", INT, [1]), ("cache_indirection", INT, ["g", "beams", "most"])][: net.sharing]


def gpt_decoder(net, name, factor):
    """Attention with a past [2, batch, heads, length, size]. With `sharing`, the past is a buffer of the longest length."""
    b = Body(net, name)
    positions = b.add("Gather", net.weight("positions", 64, net.width), "position_ids")
    x = b.add("Add", b.embedded("input_ids"), positions)
    x = b.add("Mul", x, net.constant(f"{name}_factor", np.float32(factor)))
    inputs = [("input_ids", INT, ["b", "q"]), ("position_ids", INT, ["b", "q"]), ("attention_mask", INT, ["b", "m"])]
    outputs = [("logits", FLOAT, ["b", "q", net.vocabulary])]
    for i in range(net.layers):
        w, bias = net.weight(f"qkv{i}", net.width, 3 * net.width, scale=net.width**-0.5), net.weight(f"bias{i}", 3 * net.width, scale=0.1)
        past, present = f"past_{i}", f"present_{i}"
        if net.sharing:
            y = shared_attention(b, x, w, bias, past, present)
        else:
            y = f"{name}_attended_{i}"
            b.add("Attention", x, w, bias, "attention_mask", past, outputs=[y, present], domain="com.microsoft", num_heads=net.heads, unidirectional=1)
        x = b.add("Add", x, y)
        inputs.append((past, FLOAT, [2, "b", net.heads, "p", net.size]))
        outputs.append((present, FLOAT, [2, "b", net.heads, "t", net.size]))
    b.logits(x)
    return b.graph(inputs + sharing_inputs(net), outputs)


def shared_attention(b, x, w, bias, past, present):
    """The same in a buffer whose first past_sequence_length rows count; of one row, as exporters have it, where another decoder begins."""
    net, y = b.net, f"{present}_attended"
    if net.init and b.name == "decoder":
        told = [name for name, *_ in sharing_inputs(net)]
        b.add("DecoderMaskedSelfAttention", x, w, bias, "attention_mask", past, "", *told, outputs=[y, present], domain="com.microsoft", num_heads=net.heads, past_present_share_buffer=1)
    else:
        b.add("Attention", x, w, bias, "attention_mask", past, "", "past_sequence_length", outputs=[y, present], domain="com.microsoft", num_heads=net.heads, unidirectional=1, past_present_share_buffer=1)
    return y


def attended(b, prefix, query, key, value, mask="", past=("", ""), present=("", "")):
    y = f"{prefix}_attended"
    outputs = [y] + list(present) if present[0] else [y]
    inputs = [query, key, value, "", mask, "", *past] if past[0] or mask else [query, key, value]
    b.add("MultiHeadAttention", *inputs, outputs=outputs, domain="com.microsoft", num_heads=b.net.heads)
    return y


def crossed(b, net, states, i, layout):
    """Keys and values [batch, heads, length, size] of what the encoder made."""
    made = []
    for part in ("key", "value"):
        x = b.add("Reshape", b.project(states, f"cross_{part}{i}"), layout)
        made.append(b.add("Transpose", x, outputs=[f"present_{part}_cross_{i}"], perm=[0, 2, 1, 3]))
    return made


def decoder_layers(b, net, x, own, cross, mask):
    """x after each layer: attention over its own past, then over the encoder's states."""
    for i in range(net.layers):
        past, present = own(i)
        parts = [b.project(x, f"self_{part}{i}") for part in ("query", "key", "value")]
        if net.sharing and past[0]:
            y = f"{b.name}_self{i}"
            told = [name for name, *_ in sharing_inputs(net)]
            b.add("DecoderMaskedMultiHeadAttention", *parts, "", "", *past, *told, outputs=[y, *present], domain="com.microsoft", num_heads=net.heads, past_present_share_buffer=1)
        else:
            y = attended(b, f"{b.name}_self{i}", *parts, past=past, present=present)
        x = b.add("Add", x, y)
        query = b.project(x, f"cross_query{i}")
        x = b.add("Add", x, attended(b, f"{b.name}_cross{i}", query, *cross(i), mask=mask))
    return x


def encoder(net, of_features, begins):
    b = Body(net, "encoder")
    layout = net.constant("layout", np.array([0, 0, net.heads, net.size], np.int64))
    if of_features:
        states = b.add("Tanh", b.add("MatMul", b.add("Transpose", "encoder_input_ids", perm=[0, 2, 1]), net.weight("encode", net.features, net.width)), outputs=["encoder_hidden_states"])
        inputs = [("encoder_input_ids", FLOAT, ["b", net.features, "e"])]
    else:
        mixed = b.project(b.embedded("encoder_input_ids", "encoder_table"), "encode")
        states = b.add("Tanh", mixed, outputs=["encoder_hidden_states"] if begins else None)
        inputs = [("encoder_input_ids", INT, ["b", "e"]), ("encoder_attention_mask", INT, ["b", "e"])]
    cross = [crossed(b, net, states, i, layout) for i in range(net.layers)]
    cross_outputs = [(f"present_{part}_cross_{i}", FLOAT, ["b", net.heads, "e", net.size]) for i in range(net.layers) for part in ("key", "value")]
    if not begins:
        return b.graph(inputs, cross_outputs)
    inputs.append(("decoder_input_ids", INT, ["b", "q"]))
    own = lambda i: (("", ""), (f"present_key_self_{i}", f"present_value_self_{i}"))
    x = decoder_layers(b, net, b.embedded("decoder_input_ids"), own, lambda i: cross[i], "" if of_features else "encoder_attention_mask")
    b.logits(x)
    own_outputs = [(f"present_{part}_self_{i}", FLOAT, ["b", net.heads, "q", net.size]) for i in range(net.layers) for part in ("key", "value")]
    return b.graph(inputs, [("logits", FLOAT, ["b", "q", net.vocabulary]), ("encoder_hidden_states", FLOAT, ["b", "e", net.width])] + own_outputs + cross_outputs)


def encoded_decoder(net, of_features, begins):
    b = Body(net, "decoder")
    inputs = [("input_ids", INT, ["b", "q" if net.sequence else 1])]
    if not of_features:
        inputs.append(("encoder_attention_mask", INT, ["b", "e"]))
    hidden = begins and net.hidden
    if hidden:
        inputs.append(("encoder_hidden_states", FLOAT, ["b", "e", net.width]))
    x = "input_ids"
    if net.sequence:
        last, far, axis = (net.constant(name, np.array([value], np.int64)) for name, value in (("last", -1), ("far", 1 << 30), ("axis1", 1)))
        x = b.add("Slice", x, last, far, axis)
    x = b.embedded(x)
    if hidden:
        x = b.add("Add", x, b.add("ReduceMean", "encoder_hidden_states", axes=[1], keepdims=1))
    own = lambda i: ((f"past_key_self_{i}", f"past_value_self_{i}"), (f"present_key_self_{i}", f"present_value_self_{i}"))
    cross = lambda i: (f"past_key_cross_{i}", f"past_value_cross_{i}")
    b.logits(decoder_layers(b, net, x, own, cross, "" if of_features else "encoder_attention_mask"))
    for kind, length in (("self", "p"), ("cross", "e")):
        inputs += [(f"past_{part}_{kind}_{i}", FLOAT, ["b", net.heads, length, net.size]) for i in range(net.layers) for part in ("key", "value")]
    outputs = [(f"present_{part}_self_{i}", FLOAT, ["b", net.heads, "t", net.size]) for i in range(net.layers) for part in ("key", "value")]
    return b.graph(inputs + sharing_inputs(net), [("logits", FLOAT, ["b", 1, net.vocabulary])] + outputs)


def parsed(value):
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value.split(",") if "," in value or value.islower() else value


def main():
    kind, operator, target, *given = sys.argv[1:]
    names = {name: parsed(value) for name, value in (pair.split("=", 1) for pair in given)}
    net = Net(names, kind == "whisper" or "init" in names)
    if kind == "gpt":
        graphs = {"decoder": gpt_decoder(net, "decoder", 1.0)}
        if net.init:
            graphs["init_decoder"] = gpt_decoder(net, "init_decoder", -1.0)
    else:
        of_features, begins = kind == "whisper", kind != "t5-cross"
        graphs = {"encoder": encoder(net, of_features, begins), "decoder": encoded_decoder(net, of_features, begins)}
        names.setdefault("model_type", 2 if of_features else 1)
        names.setdefault("decoder_start_token_id", 2)
    if net.own:
        net.initializers.clear()
    nodes = []
    if kind == "whisper":
        x = helper.make_tensor_value_info("x", FLOAT, [net.batch, net.features, net.frames])
        operands = ["x"]
    else:
        x = helper.make_tensor_value_info("x", INT, [net.batch, net.steps])
        nodes.append(helper.make_node("Mod", ["x", net.constant("vocabulary", np.int32(net.vocabulary))], ["prompt"]))
        operands = ["prompt"]
        if net.prompt:
            operands = [net.constant("fixed", np.array(net.prompt, np.int32))]
    for name in OPERANDS[operator]:
        value = names.pop(name, None)
        operands.append("" if value is None else net.constant(name, np.array(value, (np.float16 if net.half else np.float32) if name in FLOATS else np.int32).reshape(-1 if not isinstance(value, list) or not isinstance(value[0], list) else np.shape(value))))
    while not operands[-1]:
        operands.pop()
    # Operands that only a call knows.
    others = [helper.make_tensor_value_info(name, INT, [1]) for name in net.runtime]
    for name in net.runtime:
        del net.initializers[name]
    names = {"eos_token_id": 1, "pad_token_id": 0} | names
    attributes = {name: float(value) if name in REALS or (name == "temperature" and operator == "Sampling") else value for name, value in names.items()}
    listed = OUTPUTS[operator]
    chosen = listed[: net.outputs] if isinstance(net.outputs, int) else [name if name in net.outputs else "" for name in listed]
    while not chosen[-1]:
        chosen.pop()
    nodes.append(helper.make_node(operator, operands, chosen, name="search", domain="com.microsoft", **attributes, **graphs))
    ys = [helper.make_tensor_value_info(name, INT if name == "sequences" else TensorProto.FLOAT16 if net.half else FLOAT, None) for name in chosen if name]
    graph = helper.make_graph(nodes, "g", [x] + others, ys, list(net.initializers.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)], ir_version=8)
    onnx.save(model, target)


if __name__ == "__main__":
    main()
