# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnxruntime as a reference for nets of bytes. On CPUs without VNNI its products of unsigned by signed bytes saturate at 16 bits, unless it is asked for
precision; it then has no kernels for some operators of quantized nets, and is not asked."""
import onnx


def unshared(model):
    """A copy in which each node has constants of its own: what asking for precision does to weights fails where two nodes share a zero point."""
    copied = onnx.ModelProto()
    copied.CopyFrom(model)
    constants = {tensor.name: tensor for tensor in copied.graph.initializer}
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


def session(model, options):
    """A session of a path or of a serialized model."""
    import onnxruntime
    from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as MissingKernel

    providers = ["CPUExecutionProvider"]
    options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        loaded = onnx.load(model) if isinstance(model, str) else onnx.load_model_from_string(model)
        return onnxruntime.InferenceSession(unshared(loaded).SerializeToString(), options, providers=providers)
    except MissingKernel:
        options.add_session_config_entry("session.x64quantprecision", "0")
        return onnxruntime.InferenceSession(model, options, providers=providers)
