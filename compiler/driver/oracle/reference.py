# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnxruntime as a reference, for `sinter verify` and for tests. On CPUs without VNNI its products of unsigned by signed bytes saturate at 16 bits, unless
it is asked for precision; of some quantized nets it then makes no session, and is not asked. Operators of onnxruntime-extensions are registered where a
model names their domains and the package is there."""
import importlib.util
import math
import os

import onnxruntime

PROVIDERS = ["CPUExecutionProvider"]


def unshared(model):
    """A copy in which each node has constants of its own, and weights of bytes have zero points: what asking for precision does to weights fails where two
    nodes share a zero point, and makes one for all scales where there is none."""
    import onnx

    copied = onnx.ModelProto()
    copied.CopyFrom(model)
    constants = {tensor.name: tensor for tensor in copied.graph.initializer}
    for index, node in enumerate(copied.graph.node):
        weights, scales = (constants.get(name) for name in node.input[:2]) if node.op_type == "DequantizeLinear" else (None, None)
        if weights and scales and weights.data_type in (onnx.TensorProto.INT8, onnx.TensorProto.UINT8) and not any(node.input[2:]):
            zeros = onnx.TensorProto(name=f"{scales.name}/{index}.zeros", data_type=weights.data_type, dims=scales.dims, raw_data=bytes(math.prod(scales.dims)))
            node.input[2:] = [zeros.name]
            copied.graph.initializer.append(zeros)
            constants[zeros.name] = zeros
    seen = set()
    for index, node in enumerate(copied.graph.node):
        for place, name in enumerate(node.input):
            if name in constants and name in seen:
                node.input[place] = f"{name}/{index}.{place}"
                own = onnx.TensorProto()
                own.CopyFrom(constants[name])
                own.name = node.input[place]
                copied.graph.initializer.append(own)
            seen.add(name)
    return copied


def find_weights_beside(options, path):
    """For sessions of bytes: where the external data of the model lies that was read from this path."""
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", os.path.dirname(os.path.abspath(path)))


def names(model, words):
    """Whether a model, a path or serialized, has one of the words. Seen from its bytes: to load onnx takes longer than to run most models."""
    if isinstance(model, str):
        with open(model, "rb") as file:
            model = file.read()
    return any(word in model for word in words)


def multiplies_bytes(model):
    """Whether it has an operator of quantized nets."""
    return names(model, (b"uantize", b"MatMulInteger", b"ConvInteger", b"QLinear", b"QAttention", b"QGemm"))


def session(model, options):
    """A session of a path or of a serialized model."""
    if names(model, (b"com.microsoft.extensions", b"ai.onnx.contrib")) and importlib.util.find_spec("onnxruntime_extensions"):
        import onnxruntime_extensions

        options.register_custom_ops_library(onnxruntime_extensions.get_library_path())
    # Weights in blocks are multiplied as the standard has it: by floats, where onnxruntime's default are rows of bytes.
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "1")
    if not multiplies_bytes(model):
        return onnxruntime.InferenceSession(model, options, providers=PROVIDERS)
    import onnx
    from google.protobuf.message import EncodeError
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, NotImplemented as MissingKernel

    given = options.graph_optimization_level
    plainest = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.x64quantprecision", "1")
    for level in (given, plainest):
        options.graph_optimization_level = level
        try:
            loaded = onnx.load(model) if isinstance(model, str) else onnx.load_model_from_string(model)
            return onnxruntime.InferenceSession(unshared(loaded).SerializeToString(), options, providers=PROVIDERS)
        except Fail:  # what it makes of a shared zero point for precision's sake gets in its own way
            continue
        except (MissingKernel, EncodeError, ValueError):  # the last two of a model over 2 GB, which is no message
            break
    options.graph_optimization_level = given
    options.add_session_config_entry("session.x64quantprecision", "0")
    return onnxruntime.InferenceSession(model, options, providers=PROVIDERS)
