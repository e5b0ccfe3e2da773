# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Nets of own_nets.py as onnxruntime's quantizer makes them, in each of its forms. Entries of quantized.toml name them with `made`; each function takes
# nothing and gives a model.
import os
import tempfile

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

import own_nets
import plausible

SAMPLES = 16


class Samples(CalibrationDataReader):
    def __init__(self, model, made):
        info = model.graph.input[0]
        shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        self.rest = iter([{info.name: plausible.make(made, shape, np.float32, 9000 + i)} for i in range(SAMPLES)])

    def get_next(self):
        return next(self.rest, None)


def quantized(net, made, form, activations=QuantType.QInt8, per_channel=True):
    """made: what is plausible to feed the net (plausible.py); None: scales are found at run time."""
    with tempfile.TemporaryDirectory() as folder:
        given, prepared, result = (os.path.join(folder, f"{name}.onnx") for name in ("given", "prepared", "result"))
        onnx.save(net, given)
        quant_pre_process(given, prepared)
        if made is None:
            quantize_dynamic(prepared, result, weight_type=QuantType.QUInt8)
        else:
            quantize_static(prepared, result, Samples(net, made), quant_format=form, per_channel=per_channel, activation_type=activations,
                            weight_type=QuantType.QInt8)
        return onnx.load(result)


def residual():
    return quantized(own_nets.residual(), "photo 0 1", QuantFormat.QDQ)


def mobile():
    """Activations unsigned, one scale for all filters."""
    return quantized(own_nets.mobile(), "image -1 1", QuantFormat.QDQ, QuantType.QUInt8, per_channel=False)


def keywords():
    return quantized(own_nets.keywords(), "spectrum -2 2", QuantFormat.QDQ)


def autoencoder():
    return quantized(own_nets.autoencoder(), "spectrum -2 2", QuantFormat.QDQ)


def keywords_operators():
    """As QLinearConv and the like."""
    return quantized(own_nets.keywords(), "spectrum -2 2", QuantFormat.QOperator, QuantType.QUInt8, per_channel=False)


def autoencoder_dynamic():
    return quantized(own_nets.autoencoder(), None, None)
