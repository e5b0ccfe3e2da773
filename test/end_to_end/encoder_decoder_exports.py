# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports encoder-decoders of transformers as Optimum lays them out: encoder_model.onnx, decoder_model.onnx (the first call, which makes the caches
of cross-attention), decoder_with_past_model.onnx (all later ones, which read them), decoder_model_merged.onnx (both as branches of one If). With
`attentions` decoders give their cross-attentions, as what Optimum calls cross_attentions.N; of "scores" those before the softmax, as ONNX Runtime's
output_cross_qk_N."""
import json
import os

import onnx
import torch
from transformers import DynamicCache, EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput


class Encoder(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.encoder, self.has_features = model.get_encoder(), model.main_input_name == "input_features"

    def forward(self, *inputs):
        return self.encoder(inputs[0] if self.has_features else inputs[0], *inputs[1:]).last_hidden_state


class GenaiEncoder(Encoder):
    """Which makes keys and values of cross-attention, too."""

    def __init__(self, model):
        super().__init__(model)
        self.layers = model.get_decoder().layers

    def forward(self, *inputs):
        made = [self.encoder(inputs[0]).last_hidden_state]
        for attention in (layer.encoder_attn for layer in self.layers):
            for project in (attention.k_proj, attention.v_proj):
                states = project(made[0])
                made.append(states.view(states.shape[0], -1, attention.num_heads, attention.head_dim).transpose(1, 2))
        return tuple(made)


class Decoder(torch.nn.Module):
    """With `layers` the caches of both attentions are inputs; else there are none yet."""

    def __init__(self, model, layers, attentions=None):
        super().__init__()
        self.model, self.layers, self.attentions = model, layers, attentions

    def forward(self, ids, mask, hidden, *past):
        cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
        for i in range(self.layers):
            k, v, ck, cv = past[4 * i : 4 * i + 4]
            cache.self_attention_cache.update(k, v, i)
            cache.cross_attention_cache.update(ck, cv, i)
            cache.is_updated[i] = True
        extra = {} if mask is None else {"attention_mask": mask}
        out = self.model(decoder_input_ids=ids, encoder_outputs=BaseModelOutput(hidden), past_key_values=cache, use_cache=True,
                         output_attentions=bool(self.attentions), **extra)  # fmt: skip
        made = [out.logits]
        for i, layer in enumerate(out.past_key_values.self_attention_cache.layers):
            made += [layer.keys, layer.values]
            if not self.layers:
                cross = out.past_key_values.cross_attention_cache.layers[i]
                made += [cross.keys, cross.values]
        if self.attentions:
            made += [shares.log() if self.attentions == "scores" else shares for shares in out.cross_attentions]
        return tuple(made)


def save(module, arguments, names, outputs, dims, path):
    """`dims`: by name of a tensor its symbolic dims; a symbol stands for one size wherever it is."""
    symbols = {symbol: torch.export.Dim.DYNAMIC for name in dims for symbol in dims[name].values()}
    shapes = tuple(None if value is None else {axis: symbols[symbol] for axis, symbol in dims[name].items()} for value, name in zip(arguments, names))
    given = 1 if isinstance(module, GenaiDecoder) else 3  # arguments that have names; others are several
    fixed = (*shapes[:given], *([shapes[given:]] if shapes[given:] else [])) if isinstance(module, Decoder) else (shapes,)
    torch.onnx.export(module, arguments, path, input_names=[name for value, name in zip(arguments, names) if value is not None], output_names=outputs,
                      dynamic_shapes=fixed, dynamo=True, external_data=False, verbose=False)  # fmt: skip
    model = onnx.load(path)
    for value in (*model.graph.input, *model.graph.output):
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            if symbol := dims.get(value.name, {}).get(axis):
                dim.dim_param = symbol
    del model.graph.value_info[:]
    for node in model.graph.node:  # without the exporter's stack, longer than the weights of a tiny model
        kept = [entry for entry in node.metadata_props if entry.key == "pkg.torch.onnx.name_scopes"]
        del node.metadata_props[:]
        node.metadata_props.extend(kept)
    onnx.save(model, path)


def merge(first, later, path):
    """One If: initializers of both are shared, and outputs that later calls do not make are placeholders."""
    first, later = onnx.load(first), onnx.load(later)
    names = [output.name for output in first.graph.output]
    branches, shared = [], {}
    for label, model in (("later", later), ("first", first)):
        graph = model.graph
        taken = {value.name for value in (*graph.input,)}
        rename = {name: f"{label}/{name}" for node in graph.node for name in node.output}
        for value in graph.initializer:
            held = onnx.TensorProto()
            held.CopyFrom(value)
            held.name = ""
            rename[value.name] = shared.setdefault(held.SerializeToString(), f"{label}/{value.name}")
        nodes = []
        for node in graph.node:
            copy = onnx.NodeProto()
            copy.CopyFrom(node)
            copy.input[:] = [rename.get(name, name) for name in node.input]
            copy.output[:] = [rename[name] for name in node.output]
            nodes.append(copy)
        made = {output.name: output for output in graph.output}
        outputs = []
        for name in names:
            if name not in made:
                nodes.append(onnx.helper.make_node("Constant", [], [f"{label}/{name}"], value=onnx.helper.make_tensor("empty", 1, [0, 1, 1, 1], [])))
            outputs.append(onnx.helper.make_empty_tensor_value_info(f"{label}/{name}"))
        weights = []
        for value in graph.initializer:
            value.name = rename[value.name]
            if value.name.startswith(label):
                weights.append(value)
        branches.append((onnx.helper.make_graph(nodes, label, [], outputs), weights))
    inputs = {value.name: value for model in (later, first) for value in model.graph.input}
    choice = onnx.helper.make_tensor_value_info("use_cache_branch", onnx.TensorProto.BOOL, [1])
    node = onnx.helper.make_node("If", ["use_cache_branch"], names, then_branch=branches[0][0], else_branch=branches[1][0])
    outputs = [output for output in first.graph.output]
    for output in outputs:
        for later_output in later.graph.output:
            if later_output.name == output.name:
                output.CopyFrom(later_output)
    graph = onnx.helper.make_graph([node], "merged", [*inputs.values(), choice], outputs, [*branches[0][1], *branches[1][1]])
    onnx.save(onnx.helper.make_model(graph, opset_imports=first.opset_import, ir_version=8), path)


class GenaiDecoder(Decoder):
    """Whose caches say all of what was encoded."""

    def forward(self, ids, *past):
        return super().forward(ids, None, past[2].transpose(1, 2).flatten(2), *past)


def export_genai(model, features, folder):
    """A Whisper as ONNX Runtime's convert_to_onnx writes it for ONNX Runtime GenAI."""
    model.eval()
    os.makedirs(folder, exist_ok=True)
    layers, kinds = range(model.config.decoder_layers), ("key", "value")
    cross = [f"present_{kind}_cross_{i}" for i in layers for kind in kinds]
    past = [f"past_{kind}_{part}_{i}" for i in layers for part in ("self", "cross") for kind in kinds]
    present = [f"present_{kind}_self_{i}" for i in layers for kind in kinds]
    with torch.no_grad():
        made = GenaiEncoder(model)(features)
        first = Decoder(model, 0)(torch.tensor([[1, 2]]), None, made[0])
        dims = {name: {0: "batch_size"} for name in ("audio_features", "encoder_hidden_states", "input_ids", "logits", *cross, *past, *present)}
        for name in (*past, *present):
            if "self" in name:
                dims[name] = {0: "batch_size", 2: "past_sequence_length" if name in past else "total_sequence_length"}
        save(GenaiEncoder(model), (features,), ["audio_features"], ["encoder_hidden_states", *cross], dims, f"{folder}/whisper_encoder.onnx")
        save(GenaiDecoder(model, len(layers)), (torch.tensor([[3]], dtype=torch.int32), *first[1:]), ["input_ids", *past], ["logits", *present], dims,
             f"{folder}/whisper_decoder.onnx")  # fmt: skip
    config = model.config
    told = {"type": "whisper", "context_length": config.max_target_positions, "vocab_size": config.vocab_size, "bos_token_id": config.bos_token_id,
            "eos_token_id": config.eos_token_id, "pad_token_id": config.pad_token_id, "encoder": {"filename": "whisper_encoder.onnx"},
            "decoder": {"filename": "whisper_decoder.onnx", "head_size": config.d_model // config.decoder_attention_heads}}  # fmt: skip
    with open(f"{folder}/genai_config.json", "w", encoding="utf-8") as file:
        json.dump({"model": told, "search": {}}, file)
    config.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)


def export(model, inputs, folder, attentions=None):
    """`inputs`: what the encoder is given, input_features or input_ids."""
    model.eval()
    os.makedirs(folder, exist_ok=True)
    config, has_features = model.config, model.main_input_name == "input_features"
    with torch.no_grad():
        mask = None if has_features else torch.ones_like(inputs)
        source = {} if has_features else {1: "encoder_sequence_length"}
        length = "encoder_sequence_length / 2" if has_features else "encoder_sequence_length"
        dims = {model.main_input_name: {0: "batch_size", **source}, "attention_mask": {0: "batch_size", 1: "encoder_sequence_length"},
                "last_hidden_state": {0: "batch_size", **({} if has_features else {1: length})}}  # fmt: skip
        arguments = (inputs,) if has_features else (inputs, mask)
        save(Encoder(model), arguments, (model.main_input_name, "attention_mask")[: len(arguments)], ["last_hidden_state"], dims, f"{folder}/encoder_model.onnx")
        hidden = Encoder(model)(*arguments)
        ids = torch.tensor([[1, 2]])
        names = ["input_ids", "encoder_attention_mask", "encoder_hidden_states"]
        layers = getattr(config, "num_decoder_layers", None) or config.decoder_layers
        dims = {"input_ids": {0: "batch_size", 1: "decoder_sequence_length"}, "encoder_attention_mask": {0: "batch_size", 1: "encoder_sequence_length"},
                "encoder_hidden_states": {0: "batch_size", 1: length}, "logits": {0: "batch_size", 1: "decoder_sequence_length"}}  # fmt: skip
        first, later, past = ["logits"], ["logits"], []
        for i in range(layers):
            for part in ("decoder", "encoder"):
                for kind in ("key", "value"):
                    first.append(f"present.{i}.{part}.{kind}")
                    past.append(f"past_key_values.{i}.{part}.{kind}")
                    if part == "decoder":
                        later.append(first[-1])
                        dims[first[-1]] = {0: "batch_size", 2: "past_decoder_sequence_length + 1"}
                        dims[past[-1]] = {0: "batch_size", 2: "past_decoder_sequence_length"}
                    else:
                        dims[first[-1]] = dims[past[-1]] = {0: "batch_size", 2: "encoder_sequence_length_out"}
        names_of_past = [*names, *past]
        looks = [("output_cross_qk_%d" if attentions == "scores" else "cross_attentions.%d") % i for i in range(layers if attentions else 0)]
        later_made = len(first)
        first += looks
        later += looks
        dims.update({name: {0: "batch_size", 2: "decoder_sequence_length", 3: "encoder_sequence_length_out"} for name in looks})
        first_dims = {**dims, **{name: {0: "batch_size", 2: "decoder_sequence_length"} for name in later[1:] if name not in looks}}
        save(Decoder(model, 0, attentions), (ids, mask, hidden), names, first, first_dims, f"{folder}/decoder_model.onnx")
        made = Decoder(model, 0, attentions)(ids, mask, hidden)
        save(Decoder(model, layers, attentions), (torch.tensor([[3]]), mask, hidden, *made[1:later_made]), names_of_past, later, {**dims, "input_ids": {0: "batch_size"}}, f"{folder}/decoder_with_past_model.onnx")  # fmt: skip
        merge(f"{folder}/decoder_model.onnx", f"{folder}/decoder_with_past_model.onnx", f"{folder}/decoder_model_merged.onnx")
    model.config.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)
