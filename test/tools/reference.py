# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnxruntime as a reference for nets of bytes. On CPUs without VNNI its products of unsigned by signed bytes saturate at 16 bits, unless it is asked for
precision; it then has no kernels for some operators of quantized nets, and is not asked."""


def session(model, options):
    """A session of a path or of a serialized model."""
    import onnxruntime
    from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as MissingKernel

    providers = ["CPUExecutionProvider"]
    options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(model, options, providers=providers)
    except MissingKernel:
        options.add_session_config_entry("session.x64quantprecision", "0")
        return onnxruntime.InferenceSession(model, options, providers=providers)
