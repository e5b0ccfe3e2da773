# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the cost model of GPUs (compiler/kernels/cuda/support, targets/cuda/boards.yaml) assumes, measured, for test_gpu.py: what copies reach in DRAM and in L2,
the time from a graph's kernel to the next, and products of several sizes beside their modelled times. boards.yaml is set by hand from it."""
import os

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

# Rows, columns, depth: few rows, BERT's layers, a large one.
PRODUCTS = [(1, 4096, 1024), (16, 1024, 1024), (128, 768, 768), (128, 3072, 768), (128, 768, 3072), (1024, 1024, 1024)]
FEW = [(4, 32, 32)]  # in emulation
CHAINS = (8, 64)  # kernels that do next to nothing


def model(path, nodes, weights, shapes, element):
    types = {np.float32: TensorProto.FLOAT, np.float16: TensorProto.FLOAT16}
    ends = [[helper.make_tensor_value_info(name, types[element], shape)] for name, shape in zip("xy", shapes)]
    graph = helper.make_graph(nodes, "calibration", *ends, [numpy_helper.from_array(value.astype(element), name) for name, value in weights.items()])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def product(folder, m, n, k, element):
    rng = np.random.default_rng(1)
    path = os.path.join(folder, f"product_{m}_{n}_{k}_{np.dtype(element).name}.onnx")
    return model(path, [helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": rng.normal(size=(k, n)) / k**0.5}, ([m, k], [m, n]), element)


def chain(folder, length):
    """Products that depend on each other, with a softmax between, so that none is fused with the next."""
    nodes, weights, value = [], {}, "x"
    for i in range(length // 2):
        weights[f"w{i}"] = np.random.default_rng(i).normal(size=(4, 4))
        nodes.append(helper.make_node("MatMul", [value, f"w{i}"], [f"m{i}"]))
        value = "y" if i == length // 2 - 1 else f"s{i}"
        nodes.append(helper.make_node("Softmax", [f"m{i}"], [value], axis=1))
    return model(os.path.join(folder, f"chain_{length}.onnx"), nodes, weights, ([1, 4], [1, 4]), np.float32)


def graph_on_device(measured, l2="warm"):
    return next(way["p50_us"] for way in measured["ways"] if (way["launches"], way["tensors"], way["l2"]) == ("graph", "device", l2))


def measure(run):
    """`run`: test_gpu.py's."""
    calls = 2 if run.options.emulated else 500
    chains = [run.measure(chain(run.folder.name, length), calls) for length in CHAINS]
    launches = [each["launches"] for each in chains]
    if launches[1] <= launches[0]:
        raise RuntimeError(f"chains of {launches} launches")
    between = (graph_on_device(chains[1]) - graph_on_device(chains[0])) / (launches[1] - launches[0])
    result = {"kernel_to_kernel_us": between, "products": [], **{key: chains[0][key] for key in ("l2_bytes", "copy_gbytes_per_second", "l2_copy_gbytes_per_second")}}
    print(f"{between:10.2f} us from kernel to kernel, copies {result['copy_gbytes_per_second']:.0f} GB/s, in L2 {result['l2_copy_gbytes_per_second']:.0f}", flush=True)
    for element in (np.float32, np.float16):
        for m, n, k in FEW if run.options.emulated else PRODUCTS:
            name = f"{m} x {n} x {k} {np.dtype(element).name}"
            if not run.has_time(f"product {name}"):
                continue
            measured = run.measure(product(run.folder.name, m, n, k, element), calls)
            row = {"name": name, "modelled_us": measured["modelled_us"], "warm_us": graph_on_device(measured), "flushed_us": graph_on_device(measured, "flushed")}
            result["products"].append(row)
            print(f"modelled {row['modelled_us'] or 0:8.1f} us, measured {row['warm_us']:8.1f}, from DRAM {row['flushed_us']:8.1f}  product {name}", flush=True)
    return result
