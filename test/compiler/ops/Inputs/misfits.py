# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of one node whose operands or attributes do not fit each other, and odd ones that do: misfits.py FOLDER.

Each of the former must end with exit status 2 and a diagnostic that has the text beside it; each of the latter must compile.
An operand is its shape, "2x3", "" for a scalar, with an element type in front where it is not float, "int64 2x3"; an array is an
initializer, None is absent. Names in shapes are symbolic dims, from 0 to 8.
"""
import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

MISFITS, FITS = [], []


def i64(*values):
    return np.array(values, np.int64)


def misfit(text, op, *operands, **attributes):
    MISFITS.append((text, op, operands, attributes))


def fit(op, *operands, **attributes):
    FITS.append((None, op, operands, attributes))


def model(op, operands, attributes):
    """`outputs`, `opset` and `out` (element type of the results) are taken from the attributes."""
    outputs, opset, out = attributes.pop("outputs", 1), attributes.pop("opset", 22), attributes.pop("out", "float")
    domain, _, name = op.rpartition(".")
    names, inputs, initializers = [], [], []
    for i, operand in enumerate(operands):
        names.append("" if operand is None else f"x{i}")
        if isinstance(operand, np.ndarray):
            initializers.append(onnx.numpy_helper.from_array(operand, f"x{i}"))
        elif operand is not None:
            kind, _, shape = operand.rpartition(" ")
            dims = [int(d) if d.isdigit() else d for d in shape.split("x") if d]
            inputs.append(helper.make_tensor_value_info(f"x{i}", getattr(TensorProto, (kind or "float").upper()), dims))
    results = [f"y{i}" for i in range(outputs)]
    kinds = out.split() * outputs
    empty = [name for name, value in attributes.items() if value == []]
    node = helper.make_node(name, names, results, "n", domain=domain, **{name: value for name, value in attributes.items() if value != []})
    node.attribute.extend(helper.make_attribute(name, [], attr_type=onnx.AttributeProto.INTS) for name in empty)
    graph = helper.make_graph([node], "g", inputs,
                              [helper.make_tensor_value_info(r, getattr(TensorProto, k.upper()), None) for r, k in zip(results, kinds)],
                              initializers)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1), helper.make_opsetid("ai.onnx.ml", 3),
              helper.make_opsetid("ai.onnx.preview.training", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


# Normalizations: one parameter for each channel.
misfit("'scale' has shape [5]; BatchNormalization needs [C], where C = 3 is dim 1 of 'X'", "BatchNormalization", "1x3x4x4", "5", "3", "3", "3")
misfit("'B' has shape [1]", "BatchNormalization", "1x3x4x4", "3", "1", "3", "3")
misfit("'input_var' has shape [3,1]; BatchNormalization needs [C]", "BatchNormalization", "1x3x4x4", "3", "3", "3", "3x1")
misfit("BatchNormalization needs C=1, where C = 3 is dim 0 of 'scale'", "BatchNormalization", "3", "3", "3", "3", "3")
misfit("'scale' has shape [2]", "InstanceNormalization", "1x3x4", "2", "3")
misfit("GroupNormalization needs C%num_groups=0, where C = 5 is dim 1 of 'X', num_groups = 2", "GroupNormalization", "1x5x4", "5", "5", num_groups=2)
misfit("'bias' has shape [2]", "GroupNormalization", "1x4x4", "4", "2", num_groups=2)
misfit("'Scale' has shape [3]; LayerNormalization needs what broadcasts to [A*,D*]", "LayerNormalization", "2x4", "3", "4")
misfit("'B' has shape [2]", "LayerNormalization", "2x4", "4", "2")
misfit("'scale' has shape [3]", "RMSNormalization", "2x4", "3", opset=23)
misfit("LRN needs size>=1", "LRN", "1x3x4", size=0)

# Steps of optimizers: the tensors that belong together are alike.
adam = "ai.onnx.preview.training.Adam"
misfit("the inputs for tensor 0 differ in type: float and double", adam, "", "int64 ", "3", "double 3", "3", "3", outputs=3)
misfit("the inputs for tensor 0 differ in shape", adam, "", "int64 ", "3", "3", "4", "3", outputs=3)
fit(adam, "", "int64 ", "3", "3", "3", "3", outputs=3)

# Convolutions and pools.
misfit("'W' has shape [4,2,3,3]; Conv needs [M,C/group,K+], where", "Conv", "1x3x8x8", "4x2x3x3")
misfit("'B' has shape [3]; Conv needs [M], where M = 4 is dim 0 of 'W'", "Conv", "1x3x8x8", "4x3x3x3", "3")
misfit("Conv needs #K=#D", "Conv", "1x3x8x8", "4x3x3")
misfit("Conv needs K>=1, where K = [0,3]", "Conv", "1x3x8x8", "4x3x0x3")
misfit("ConvTranspose needs K>=1, where K = [3,0]", "ConvTranspose", "1x3x8x8", "3x2x3x0", dilations=[2, 2])
misfit("Conv needs M%group=0", "Conv", "1x4x8x8", "3x2x3x3", group=2)
misfit("Conv needs group>=1, where group = 0", "Conv", "1x4x8x8", "3x4x3x3", group=0)
misfit("Conv needs kernel_shape=K", "Conv", "1x3x8x8", "4x3x3x3", kernel_shape=[2, 2])
misfit("'strides' has 1 elements; Conv needs [#D], where D = [8,8]", "Conv", "1x3x8x8", "4x3x3x3", strides=[1])
misfit("Conv needs strides>=1, where strides = [1,0]", "Conv", "1x3x8x8", "4x3x3x3", strides=[1, 0])
misfit("Conv needs dilations>=1", "Conv", "1x3x8x8", "4x3x3x3", dilations=[-1, 1])
misfit("'pads' has 2 elements", "Conv", "1x3x8x8", "4x3x3x3", pads=[1, 1])
misfit("auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID, where auto_pad = 'SAME'", "Conv", "1x3x8x8", "4x3x3x3", auto_pad="SAME")
misfit("'W' has shape [4,2,3,3]", "ConvTranspose", "1x3x8x8", "4x2x3x3")
misfit("'B' has shape [2]", "ConvTranspose", "1x4x8x8", "4x3x3x3", "2")
misfit("ConvTranspose needs C%group=0", "ConvTranspose", "1x3x8x8", "3x2x3x3", group=2)
misfit("'output_shape' has 1 elements", "ConvTranspose", "1x3x8x8", "3x2x3x3", output_shape=[8])
misfit("output_shape asks for 19 places of spatial dim 1", "ConvTranspose", "1x3x8x8", "3x2x3x3", output_shape=[10, 19], strides=[1, 2])
fit("ConvTranspose", "1x3x8x8", "3x2x3x3", output_shape=[10, 18], strides=[1, 2])
misfit("a size of the result is negative", "ConvTranspose", "1x3xax8", "3x2x3x3", pads=[9, 0, 9, 0])
misfit("ConvTranspose needs pads<1099511627776", "ConvTranspose", "1x3x8x8", "3x2x3x3", pads=[2**63 - 1] * 4)
misfit("'scales' has 5000 elements", "Resize", "1x1x8x8", None, "5000")
fit("Split", "a", num_outputs=2**40)
misfit("operand 3 takes one, or one for each filter: 4", "QLinearConv", "uint8 1x3x8x8", "", "uint8 ", "uint8 4x3x3x3", "3", "uint8 ", "", "uint8 ", out="uint8")
misfit("'B' has shape [2]", "QLinearConv", "uint8 1x3x8x8", "", "uint8 ", "uint8 4x3x3x3", "", "uint8 ", "", "uint8 ", "int32 2", out="uint8")
misfit("the zero point (operand 3) has 3 elements", "ConvInteger", "uint8 1x3x8x8", "uint8 4x3x3x3", "uint8 ", "uint8 3", out="int32")
misfit("'offset' has shape [1,17,6,6]", "DeformConv", "1x3x8x8", "4x3x3x3", "1x17x6x6")
misfit("'mask' has shape [1,9,6,5]", "DeformConv", "1x3x8x8", "4x3x3x3", "1x18x6x6", None, "1x9x6x5")
misfit("'kernel_shape' has 1 elements", "MaxPool", "1x3x8x8", kernel_shape=[2])
misfit("MaxPool needs kernel_shape>=1", "MaxPool", "1x3x8x8", kernel_shape=[0, 2])
misfit("AveragePool needs strides>=1", "AveragePool", "1x3x8x8", kernel_shape=[2, 2], strides=[0, 1])
misfit("'X' has shape [3]; GlobalAveragePool needs [N,C,_*]", "GlobalAveragePool", "3")
misfit("'I' has shape [1,1,2,3]", "MaxUnpool", "1x1x2x2", "int64 1x1x2x3", kernel_shape=[2, 2])
misfit("C%product(value(block_shape))=0", "Col2Im", "1x5x4", i64(4, 4), i64(2, 2))
misfit("'block_shape' has shape [3]", "Col2Im", "1x8x4", i64(4, 4), i64(2, 2, 2))
misfit("'rois' has shape [2,5]; RoiAlign needs [R,4]", "RoiAlign", "1x3x8x8", "2x5", "int64 2")
misfit("'batch_indices' has shape [3]", "RoiAlign", "1x3x8x8", "2x4", "int64 3")
misfit("'pooled_shape' has 1 elements", "MaxRoiPool", "1x3x8x8", "2x5", pooled_shape=[2])

# Products.
misfit("'B' has shape [4,5]; MatMul needs [K] or [S~,K,N], where K = 3 is dim 1 of 'A'", "MatMul", "2x3", "4x5")
misfit("'B' has shape [3,4,5]", "MatMul", "2x2x4", "3x4x5")
misfit("'A' has shape []", "MatMul", "", "3")
misfit("'B' has shape [4,5]; Gemm needs [K,N]", "Gemm", "2x3", "4x5")
misfit("Gemm needs [N,K]", "Gemm", "2x3", "4x5", transB=1)
misfit("'C' has shape [3]; Gemm needs what broadcasts to [M,N], where M = 2 is dim 0 of 'A', N = 5 is dim 1 of 'B'", "Gemm", "2x3", "3x5", "3")
misfit("'C' has shape [1,2,5]", "Gemm", "2x3", "3x5", "1x2x5")
misfit("operand 1 takes one, or one for each column: 5", "MatMulInteger", "uint8 2x3", "uint8 3x5", "uint8 ", "uint8 3", out="int32")
misfit("the scale (operand 3) has 4 elements", "com.microsoft.MatMulIntegerToFloat", "uint8 2x3", "uint8 3x5", "", "4")
misfit("'bias' has shape [2]", "com.microsoft.DynamicQuantizeMatMul", "2x3", "uint8 3x5", "", None, "2")
misfit("'A' has shape [2,8,9]", "com.microsoft.MatMulNBits", "2x8x9", np.zeros((4, 1, 8), np.uint8), np.ones(4, np.float32), K=16, N=4, block_size=16)
misfit("'B' has shape [4]", "com.microsoft.BiasGelu", "2x3", "4")
misfit("'gamma' has shape [4]", "com.microsoft.SkipLayerNormalization", "1x2x3", "1x2x3", "4")
misfit("'skip' has shape [1,3,3]", "com.microsoft.SkipLayerNormalization", "1x2x3", "1x3x3", "3")

# Elementwise.
misfit("'B' has shape [2]", "Add", "3", "2")
misfit("'Y' has shape [4,2]", "Where", "bool 3", "3", "4x2")
misfit("'data_0' (input 2) has shape [4]", "Max", "3", "1", "4")
misfit("'slope' has shape [4]", "PRelu", "2x3", "4")
misfit("'min' has shape [2]; Clip needs [] or [1]", "Clip", "3", "2")
misfit("direction=LEFT|RIGHT", "BitShift", "uint8 3", "uint8 3", direction="UP", out="uint8")

# Recurrent operators.
misfit("'W' has shape [1,20,3]; LSTM needs [D,4*H,I]", "LSTM", "2x1x3", "1x20x3", "1x16x4", outputs=3)
misfit("'B' has shape [1,16]; LSTM needs [D,2*4*H]", "LSTM", "2x1x3", "1x16x3", "1x16x4", "1x16", outputs=3)
misfit("'sequence_lens' has shape [2]", "LSTM", "2x1x3", "1x16x3", "1x16x4", None, "int32 2", outputs=3)
misfit("'initial_h' has shape [1,2,4]", "LSTM", "2x1x3", "1x16x3", "1x16x4", None, None, "1x2x4", outputs=3)
misfit("'initial_c' has shape [1,1,5]", "LSTM", "2x1x3", "1x16x3", "1x16x4", None, None, "1x1x4", "1x1x5", outputs=3)
misfit("'P' has shape [1,8]; LSTM needs [D,3*H]", "LSTM", "2x1x3", "1x16x3", "1x16x4", None, None, None, None, "1x8", outputs=3)
misfit("LSTM needs hidden_size=H", "LSTM", "2x1x3", "1x16x3", "1x16x4", hidden_size=5, outputs=3)
misfit("LSTM needs D=2", "LSTM", "2x1x3", "1x16x3", "1x16x4", direction="bidirectional", outputs=3)
misfit("direction=forward|reverse|bidirectional", "LSTM", "2x1x3", "1x16x3", "1x16x4", direction="both", outputs=3)
misfit("'R' has shape [1,12,5]", "GRU", "2x1x3", "1x12x3", "1x12x5", outputs=2)
misfit("'B' has shape [1,12]", "GRU", "2x1x3", "1x12x3", "1x12x4", "1x12", outputs=2)
misfit("'W' has shape [4,3]", "RNN", "2x1x3", "4x3", "1x4x4", outputs=2)
misfit("'initial_h' has shape [1,2,4]", "RNN", "2x1x3", "1x4x3", "1x4x4", None, None, "1x2x4", layout=1, outputs=2)

# Attention.
misfit("'K' has shape [2,2,5,4]", "Attention", "1x2x3x4", "2x2x5x4", "2x2x5x4", opset=23)
misfit("'V' has shape [1,2,6,4]", "Attention", "1x2x3x4", "1x2x5x4", "1x2x6x4", opset=23)
misfit("'K' has shape [1,2,5,3]", "Attention", "1x2x3x4", "1x2x5x3", "1x2x5x4", opset=23)
misfit("Attention needs A%G=0", "Attention", "1x3x3x4", "1x2x5x4", "1x2x5x4", opset=23)
misfit("Attention needs rank(K)=rank(Q)", "Attention", "1x3x8", "1x2x5x4", "1x2x5x4", opset=23, q_num_heads=2, kv_num_heads=2)
misfit("Attention needs X%q_num_heads=0", "Attention", "1x3x9", "1x5x8", "1x5x8", opset=23, q_num_heads=2, kv_num_heads=2)
misfit("Attention needs X*kv_num_heads=Y*q_num_heads", "Attention", "1x3x8", "1x5x6", "1x5x8", opset=23, q_num_heads=2, kv_num_heads=2)
misfit("'attn_mask' has shape [4,5]", "Attention", "1x2x3x4", "1x2x5x4", "1x2x5x4", "4x5", opset=23)
misfit("Attention needs W<=T", "Attention", "1x2x3x4", "1x2x5x4", "1x2x5x4", "3x6", opset=23)
misfit("'past_key' has shape [1,2,2,3]", "Attention", "1x2x3x4", "1x2x5x4", "1x2x5x4", None, "1x2x2x3", "1x2x2x4", opset=23, outputs=3)
misfit("has(past_key)=has(past_value)", "Attention", "1x2x3x4", "1x2x5x4", "1x2x5x4", None, "1x2x2x4", opset=23)
misfit("'sin_cache' has shape [1,3,1]", "RotaryEmbedding", "1x2x3x4", "1x3x2", "1x3x1", opset=23)
misfit("'cos_cache' has shape [1,4,2]", "RotaryEmbedding", "1x2x3x4", "1x4x2", "1x4x2", opset=23)
misfit("needs P=N|1", "RotaryEmbedding", "3x2x3x4", "2x3x2", "2x3x2", opset=23)
misfit("2*R=E", "RotaryEmbedding", "1x2x3x4", "1x3x1", "1x3x1", opset=23)
misfit("'position_ids' has shape [1,2]", "RotaryEmbedding", "1x2x3x4", "9x2", "9x2", "int64 1x2", opset=23)

# Movement.
misfit("'inputs' (input 1) has shape [3,3]", "Concat", "2x3", "3x3", axis=1)
misfit("'inputs' (input 1) has shape [3]", "Concat", "2x3", "3", axis=1)
misfit("'inputs' (input 0) has shape [2,3]", "Concat", "2x3", "2x3", axis=2)
misfit("Split needs sum(value(split))=dim(input,or(axis,0))", "Split", "5", i64(2, 2), outputs=2)
misfit("Split needs value(split)>=0", "Split", "5", i64(6, -1), outputs=2)
misfit("Gather needs axis@data", "Gather", "2x3", "int64 1", axis=2)
misfit("GatherElements needs", "GatherElements", "2x3", "int64 3x3", axis=1)
misfit("GatherND needs L<=#D", "GatherND", "2x3", "int64 2x3")
misfit("'indices' has shape [3,1]", "GatherND", "2x3", "int64 3x1", batch_dims=1)
misfit("'updates' has shape [2,4]", "ScatterND", "4x3", "int64 2x1", "2x4")
misfit("'updates' has shape [2,3]", "ScatterElements", "4x3", "int64 2x2", "2x3")
misfit("reduction=none|add|mul|max|min", "ScatterElements", "4x3", "int64 2x2", "2x2", reduction="avg")
misfit("needs C%(blocksize*blocksize)=0", "DepthToSpace", "1x6x2x2", blocksize=2)
misfit("DepthToSpace needs blocksize>=1", "DepthToSpace", "1x6x2x2", blocksize=0)
misfit("SpaceToDepth needs H%blocksize=0", "SpaceToDepth", "1x6x3x2", blocksize=2)
misfit("mode=DCR|CRD", "DepthToSpace", "1x4x2x2", blocksize=2, mode="XYZ")
misfit("'perm' has 2 elements", "Transpose", "2x3x4", perm=[1, 0])
misfit("Transpose needs perm@data", "Transpose", "2x3", perm=[1, 1])
misfit("Transpose needs perm>=0", "Transpose", "2x3", perm=[0, -1])
misfit("'repeats' has shape [3]", "Tile", "2x3", i64(1, 2, 3))
misfit("needs -rank(input)<=axis<=rank(input)", "Flatten", "2x3", axis=3)
misfit("'ends' has shape [2]", "Slice", "2x3", i64(0), i64(1, 1))
misfit("'sequence_lens' has shape [2]", "ReverseSequence", "4x3x2", "int64 2", batch_axis=1, time_axis=0)
misfit("batch_axis!=time_axis", "ReverseSequence", "4x3x2", "int64 3", batch_axis=1, time_axis=1)
misfit("'values' has shape [3]; OneHot needs [2]", "OneHot", "int64 3", np.array(4), "3")
misfit("OneHot needs value(depth)>=0", "OneHot", "int64 3", np.array(-4), "2")
misfit("TopK needs 0<=value(K)<=dim(X,axis)", "TopK", "2x3", i64(4), outputs=2, out="float int64")
misfit("Compress needs axis@input", "Compress", "2x3", "bool 2", axis=2)
misfit("mode=constant|reflect|edge|wrap", "Pad", "3", i64(1, 1), mode="mirror")
misfit("'grid' has shape [1,4,4,3]", "GridSample", "1x1x4x4", "1x4x4x3")
misfit("'theta' has shape [1,3,3]", "AffineGrid", "1x3x3", i64(1, 1, 4, 4))
misfit("AffineGrid needs at(value(size),0)=N", "AffineGrid", "2x2x3", i64(3, 1, 4, 4))
misfit("'input' has shape [3]", "Trilu", "3")
misfit("'update' has shape [1,2,2,3]", "TensorScatter", "1x2x4x4", "1x2x2x3", "int64 1", opset=24)

# Losses, selections, others.
misfit("'target' has shape [4]; NegativeLogLikelihoodLoss needs [N,D*], where N = 3 is dim 0 of 'input', D = [] is no dims of 'input'",
       "NegativeLogLikelihoodLoss", "3x5", "int64 4")
misfit("'weight' has shape [4]", "NegativeLogLikelihoodLoss", "3x5", "int64 3", "4")
misfit("'labels' has shape [3,2]", "SoftmaxCrossEntropyLoss", "3x5x3", "int64 3x2")
misfit("reduction=none|sum|mean", "NegativeLogLikelihoodLoss", "3x5", "int64 3", reduction="max")
misfit("'scores' has shape [1,1,5]", "NonMaxSuppression", "1x6x4", "1x1x5", i64(3), out="int64")
misfit("'max_output_boxes_per_class' has shape [2]", "NonMaxSuppression", "1x6x4", "1x1x6", i64(3, 3), out="int64")
misfit("'X' has shape [2,3]", "Det", "2x3")
misfit("DFT needs P=1|2, where P = 3", "DFT", "2x3", opset=17)
misfit("STFT needs value(frame_length)=F", "STFT", "1x16x1", i64(4).reshape(()), "8", i64(6).reshape(()), opset=17)
misfit("Range", "Range", i64(0, 1), i64(3, 1), i64(1, 1), out="int64")
misfit("'y_scale' has shape [4]", "QuantizeLinear", "2x3", "4", None, axis=1, out="uint8")
misfit("'x_scale' has shape [2,3]", "DequantizeLinear", "uint8 2x3", "2x3")
misfit("the scale (operand 1) is no number", "com.microsoft.QLinearAdd", "uint8 3", "2", "uint8 ", "uint8 3", "", "uint8 ", "", "uint8 ", out="uint8")

# Types and counts.
misfit("input 'B' is a tensor(int32) instead of a tensor(float)", "Add", "3", "int32 3")
misfit("input 'X' is a tensor(int32), which this version of the operator does not take", "Conv", "int32 1x3x8x8", "int32 4x3x3x3", out="int32")
misfit("input 'A' is left out but not optional", "Div", None, "3")
misfit("input 'B' is left out but not optional", "Div", "3", None)
misfit("the node has 1 inputs", "Conv", "1x3x8x8")

# Symbolic dims: what no call can meet.
misfit("'B' has shape [9,4]", "MatMul", "2xn", "9x4")
misfit("'B' has shape [4]; InstanceNormalization needs [C], where C = 3 is dim 0 of 'scale'", "InstanceNormalization", "1xnx5", "3", "4")
misfit("'W' has shape [1,14,2]; GRU needs [D,3*H,I], where", "GRU", "2x1x2", "1x14x2", "axbxc", outputs=2, hidden_size=5)
misfit("'W' has shape [1,14,2]; GRU needs [D,3*H,I], where", "GRU", "2x1x2", "1x14x2", "axbxc", outputs=2)
misfit("'data' takes [A:L,D*], whose number of dims is not known", "ScatterND", "4x3", "int64 2xn", "2x3")

# Found by mutations of valid models.
misfit("ConvTranspose needs output_padding<max(or(strides,1),or(dilations,1))", "ConvTranspose", "1x2x4", "2x3x4", output_padding=[1])
misfit("'C' has shape [5]; Gemm needs [M,N]", "Gemm", "2x3", "3x5", "5", opset=6, broadcast=0)
misfit("'B' has shape [1]; SwiGLU needs [S*]", "SwiGLU", "3", "1", opset=28)
misfit("Slice needs value(steps)!=0", "Slice", "4", i64(0), i64(2), i64(0), i64(0))
misfit("Slice needs value(axes)@data", "Slice", "", "int64 1", "int64 1", "int64 1")
misfit("CumSum needs value(axis)@x", "CumSum", "", "int64 ")
misfit("ReduceSum needs -rank(data)<=value(axes)<rank(data)", "ReduceSum", "2x3", i64(2))
misfit("TopK needs 0<=value(K)<=dim(X,axis)", "TopK", "3", i64(4), outputs=2, out="float int64")
misfit("Attention needs left_window_size>=-1", "Attention", "1x2x3x4", "1x2x3x4", "1x2x3x4", opset=25, left_window_size=-2)
misfit("Attention needs has(q_num_heads)=0", "Attention", "1x2x3x4", "1x2x3x4", "1x2x3x4", opset=25, q_num_heads=2, kv_num_heads=2)
misfit("Attention needs A=q_num_heads", "Attention", "1x2x3x4", "1x2x3x4", "1x2x3x4", opset=23, q_num_heads=1, kv_num_heads=1)
misfit("'x_scale' has shape [2,3]; DequantizeLinear needs [A*,ceil(L,block_size),B*]", "DequantizeLinear", "uint8 2x5", "2x3", opset=21, axis=0, block_size=2)
misfit("'a_scale' has shape [2]", "QLinearMatMul", "uint8 3x2x4", "2", "uint8 ", "uint8 3x4x2", "", "uint8 ", "", "uint8 ", opset=21, out="uint8")
misfit("'output_shape' is smaller than what is unpooled", "MaxUnpool", "1x1x2", "int64 1x1x2", i64(1, 1, 3), kernel_shape=[2], strides=[2])
misfit("CastLike needs round_mode=up|down|nearest", "CastLike", "3", "int32 3", opset=24, round_mode="", out="int32")
misfit("GridSample needs mode=", "GridSample", "1x1x3x3", "1x2x2x2", mode="")
misfit("beside a size of 0 in the shape", "Reshape", "2x0x4", i64(2, 0, -1))
fit("Reshape", "2x0x4", i64(2, 0, 7))
fit("Resize", "1x1x4x5", None, None, i64(1, 1, 3, 7), coordinate_transformation_mode="tf_crop_and_resize")
misfit("DFT needs P<=2-onesided", "DFT", "2x4x2", opset=17, onesided=1)
misfit("DFT needs P<=2-onesided", "DFT", "2x4x2", onesided=1)
misfit("DFT needs P>=1+onesided", "DFT", "2x4x1", onesided=1, inverse=1)
fit("DFT", "2x4x2", onesided=1, inverse=1)
misfit("LabelEncoder needs has(keys_floats)", "ai.onnx.ml.LabelEncoder", "4", keys_floats=[1.0], keys_int64s=[1], values_floats=[2.0])
misfit("'skip' has shape [2,1,4]", "com.microsoft.SkipLayerNormalization", "2x3x4", "2x1x4", "4")
fit("com.microsoft.SkipLayerNormalization", "2x3x4", "3x4", "4")
misfit("'inputdimensions' has 1 numbers for 2 inputs", "ai.onnx.ml.FeatureVectorizer", "2x3", "2x2", inputdimensions=[3])
misfit("'inputdimensions' says 4", "ai.onnx.ml.FeatureVectorizer", "2x3", "2x2", inputdimensions=[3, 4])
fit("ai.onnx.ml.FeatureVectorizer", "2x3", "2xa", inputdimensions=[3, 2])
misfit("Scaler needs has(offset)=1", "ai.onnx.ml.Scaler", "2x3", scale=[1.0])
misfit("Gemm needs transB=0|1", "Gemm", "2x3", "4x3", transB=2)
misfit("ReduceSum needs keepdims=0|1", "ReduceSum", "2x3", i64(1), keepdims=2)
misfit("'B' has shape [3]", "LayerNormalization", "axb", "2", "3")
fit("LayerNormalization", "axb", "2", "1")
misfit("inputs differ in dim 0: 7 and 8", "Concat", "axb", "7x4", "8x4", axis=1)
misfit("Reshape needs allowzero=0|1", "Reshape", "2x3", i64(6), allowzero=2)
misfit("STFT needs 1<=F<=L", "STFT", "1x16x1", i64(4).reshape(()), "0", opset=17)
misfit("STFT needs 1<=F<=L", "STFT", "1x16x1", i64(4).reshape(()), "17", opset=17)
misfit("STFT needs 1<=value(frame_length)<=L", "STFT", "1x16x1", i64(4).reshape(()), None, i64(17).reshape(()), opset=17)
misfit("'axis' has shape [1]; DFT needs []", "DFT", "1x4x1", None, i64(1), opset=20)
misfit("'slope' has shape [2,2,3]", "PRelu", "2x3", "2x2x3", opset=6)
misfit("'w' has shape []", "ConvInteger", "uint8 1x1x3x3", "uint8 ", None, "uint8 1", out="int32")
misfit("is read, which the operator does not make", "BatchNormalization", "2x3", "3", "3", "3", "3", outputs=2, opset=15)
misfit("reduction 'max' of strings", "ScatterND", "string 3", "int64 1x1", "string 1", reduction="max", out="string")
misfit("an index or a size in a constant is out of range", "Gather", np.arange(12, dtype=np.float32).reshape(4, 3), i64(1, 9))
misfit("ArrayFeatureExtractor needs product(I)=0", "ai.onnx.ml.ArrayFeatureExtractor", "3x0", "int64 2")
misfit("the number of channels is not known", "GroupNormalization", "1xnx4", "4", "4", num_groups=2)
misfit("Gather needs product(I)=0", "Gather", "0x3", "int64 2")
misfit("GatherElements needs product(P)*J*product(Q)=0", "GatherElements", "0x3", "int64 2x3")
misfit("Col2Im of strings", "Col2Im", "string 1x4x4", i64(4, 4), i64(2, 2), out="string")
misfit("output 'y0' is declared as int8 and is uint8", "QuantizeLinear", "3", "", out="int8")
misfit("a pad of -9223372036854775808 elements", "Pad", "n", i64(-(1 << 63), -(1 << 63)))
misfit("has more than 1099511627776 bytes", "Range", i64(0).reshape(()), i64(1 << 38).reshape(()), i64(1).reshape(()), out="int64")
misfit("depends on run-time data and has no bound", "ConstantOfShape", "int64 2")

# Trees.
misfit("a tree has a path that leads back to itself", "ai.onnx.ml.TreeEnsembleRegressor", "2x1", nodes_treeids=[0, 0], nodes_nodeids=[0, 1],
       nodes_featureids=[0, 0], nodes_modes=["BRANCH_LEQ", "BRANCH_LEQ"], nodes_values=[1.0, 2.0], nodes_truenodeids=[1, 0],
       nodes_falsenodeids=[1, 0], target_treeids=[0], target_nodeids=[0], target_ids=[0], target_weights=[1.0], n_targets=1)
misfit("trees have 1 to 16777216 targets", "ai.onnx.ml.TreeEnsembleRegressor", "2x1", nodes_treeids=[0], nodes_nodeids=[0], nodes_featureids=[0],
       nodes_modes=["LEAF"], nodes_values=[1.0], nodes_truenodeids=[0], nodes_falsenodeids=[0], target_treeids=[0], target_nodeids=[0],
       target_ids=[1 << 40], target_weights=[1.0], n_targets=1 << 40)
misfit("#coefficients=targets*F", "ai.onnx.ml.LinearRegressor", "2x3", coefficients=[1.0, 2.0])
misfit("there are not as many keys as values", "ai.onnx.ml.LabelEncoder", "int64 3", keys_int64s=[1, 2], values_int64s=[3], out="int64")
misfit("'scale' has 2 elements", "ai.onnx.ml.Scaler", "2x3", offset=[1.0], scale=[1.0, 2.0])

# What a lowering asks.
misfit("'input' does not have a column for each window", "Col2Im", "1x4x15", i64(5, 5), i64(2, 2))
misfit("has another size than its label has elsewhere", "Einsum", "2x3", "4x5", equation="ij,jk->ik")
misfit("has another size than its label has elsewhere", "Einsum", "2x3", equation="ii->i")
misfit("the scale (operand 3) is no number", "com.microsoft.QLinearConcat", "", "uint8 ", "uint8 2", "2", "uint8 ", axis=0, out="uint8")
misfit("does not expand to 4", "Expand", "3", i64(4))
misfit("cannot take", "Reshape", "2x3", i64(4))

# Odd, and fitting.
fit("BatchNormalization", "0x3x4x4", "3", "3", "3", "3")
fit("BatchNormalization", "1x0x4", "0", "0", "0", "0")
fit("Conv", "1x3x2x2", "4x3x5x5", pads=[2, 2, 2, 2])
fit("Gemm", "2x3", "3x5", "")
fit("Gemm", "2x3", "3x5", "2x1")
fit("Gemm", "0x3", "3x5", "5")
fit("MatMul", "2x0", "0x5")
fit("MatMul", "3", "2x3x4")
fit("Add", "2x0", "1")
fit("Add", "n", "m")
fit("Add", "n", "9")
fit("MatMul", "2xn", "mx4")
fit("Concat", "2x0", "2x3", axis=-1)
fit("LayerNormalization", "2x4", "1", "4")
fit("LayerNormalization", "2x3x4", "3x1", axis=1)
fit("GatherElements", "4x3", "int64 2x5", axis=1)
fit("ScatterND", "4x3", "int64 0x1", "0x3")
fit("Clip", "3", "1", "")
fit("LSTM", "2x1x3", "1x16x3", "1x16x4", None, None, "1x1x4", outputs=3, hidden_size=4)
fit("Attention", "1x4x3x4", "1x2x5x4", "1x2x5x6", "3x5", opset=23)
fit("Attention", "1x3x8", "1x5x4", "1x5x4", opset=23, q_num_heads=4, kv_num_heads=2)
fit("QuantizeLinear", "2x3", "3", "uint8 3", axis=1, out="uint8")
fit("NegativeLogLikelihoodLoss", "3x5x2", "int64 3x2", "5")
fit("PRelu", "1x3x4", "3x1")
fit("PRelu", "3", "2x3")
fit("BatchNormalization", "2", "1", "1", "1", "1")
fit("QLinearConv", "uint8 1x3x4x4", "1", "uint8 1", "uint8 4x3x3x3", "4", "uint8 1", "1", "uint8 1", out="uint8")
fit("ReduceSum", "2x3", i64(0, -2))
fit("Conv", "1x3x4", "2x3x4", auto_pad="")
fit("ConvTranspose", "1x2x4", "2x3x4", output_padding=[1], dilations=[2])
fit("Slice", "4", i64(3), i64(-9), i64(0), i64(-(1 << 63)))
fit("Gather", "0x3", "int64 0x2")
fit("Squeeze", "1x3", i64(0, 0))
fit("Split", "5", outputs=2, num_outputs=3)
misfit("the second operand's dims do not fit the first's", "Add", "2x3", "4", broadcast=1, axis=0, opset=6)
misfit("the number of heads is not known at compile time", "Attention", "1xHx3x4", "1x2x5x4", "1x2x5x4", opset=23)
misfit("the last dim of a signal is not known at compile time", "DFT", "1x5xP")
fit("Expand", "3", np.array(3))
fit("Pad", "3", i64(1, 1), "1x1")
fit("Attention", "1x2x3x4", "1x2x5x4", "1x2x5x4", "5", opset=23)
fit("Expand", "3", i64(2, 3))
fit("Split", "5", i64(5, 0), outputs=2)
misfit("the keys are int64 and the input a tensor(string)", "ai.onnx.ml.LabelEncoder", "string 2x4", keys_int64s=[9, 2], values_int64s=[4, 47], out="int64")
fit("ai.onnx.ml.LabelEncoder", "4", keys_floats=[1.0], values_floats=[2.0], values_int64s=[])
misfit("Normalizer needs [C] or [N,C]", "ai.onnx.ml.Normalizer", "1x2x4", norm="L2")
misfit("MeanVarianceNormalization needs #axes>=1", "MeanVarianceNormalization", "1x2x4", axes=[], opset=13)
misfit("'num_mel_bins' has shape [1]", "MelWeightMatrix", i64(8), np.array(16), np.array(8192), np.array(0, np.float32), np.array(4096, np.float32))
fit("LRN", "1x2x4", size=2**63 - 1)
fit("Unique", np.array([True, False, True]), outputs=4, out="bool int64 int64 int64")
fit("com.microsoft.QGemm", "uint8 2x3", "", "uint8 ", "uint8 3x2", "", "uint8 ", None, None, "uint8 ", out="uint8")
fit("com.microsoft.QGemm", "uint8 2x3", "", "uint8 ", "uint8 3x2", "", "uint8 ", None, "")
misfit("'the operands fit each other' holds for no input", "com.microsoft.QGemm", np.ones((9, 2), np.int8), "", "int8 ", "int8 KxN", np.ones(2, np.float32),
       "int8 ", np.ones(8, np.int32), "", "int8 ", out="int8")
misfit("a dim without elements cannot be resized to 4", "Resize", "1x0x2", None, None, i64(1, 4, 2))
fit("Resize", "1x0x2", None, None, i64(1, 0, 4))
fit("Resize", "1xNx2", None, None, i64(1, 4, 2))


def run(folder, i, op, operands, attributes):
    path = os.path.join(folder, f"{i}_{op}.onnx")
    onnx.save(model(op, operands, dict(attributes)), path)
    flags = [f"--dim={d}=0..8" for d in sorted({d for o in operands if isinstance(o, str) for d in o.rpartition(" ")[2].split("x") if d.isalpha()})]
    return subprocess.run(["sinter", path, "-o", path[:-5], *flags], capture_output=True, text=True, errors="replace")


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    wrong = 0
    for i, (text, op, operands, attributes) in enumerate(MISFITS + FITS):
        done = run(folder, i, op, operands, attributes)
        good = done.returncode == 2 and text in done.stderr if text else done.returncode == 0
        if not good:
            wrong += 1
            shown = [o.tolist() if isinstance(o, np.ndarray) else o for o in operands]
            print(f"{op} {shown} {attributes}: status {done.returncode}, {'wanted: ' + text if text else 'should compile'}\n{done.stderr}")
    print(f"{len(MISFITS)} that do not fit, {len(FITS)} that do: {wrong} wrong")
    sys.exit(wrong != 0)


main()
