# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A large net from a seed: parts that stand beside each other, each from inputs of its own, of sizes at which the fast kernels are chosen. Small
# nets (makers.py) have more operators and odder graphs; these have rows, channels and sums of many tiles.
import random

from large import maps, products, quantized, sequences
from makers import Model, grow_by, outputs_of, without_sizes
from net import Net, array, opset_imports
from onnx import helper

FAMILIES = {"large_maps": maps, "large_products": products, "large_sequences": sequences, "large_quantized": quantized}
MOST_ELEMENTS = 1 << 17
OPSETS = [13, 17, 18, 20, 21, 21, 21, 22, 23, 23]
DYNAMIC_SHARE = 0.35  # of the nets have dims that are symbols
OTHER_SIZES = 7  # calls with other sizes of these: one program meets the ends of all tiles


class LargeNet(Net):
    """`symbols`: by input, axes whose sizes only a call knows."""

    most_elements = MOST_ELEMENTS

    def __init__(self, rng, dynamic, opset):
        super().__init__(rng, opset=opset)
        self.dynamic, self.symbols = dynamic, {}


def bounds_of(rng, free):
    """Of sizes around those that the net was made with."""
    return {name: (rng.choice([1, max(1, size // 2), max(1, size - 3)]), size + rng.choice([0, 2, 9])) for name, size in free.items()}


def sizes_within(rng, bounds):
    """At the ends more often."""
    return {name: rng.choice([least, most, rng.randint(least, most), rng.randint(least, most)]) for name, (least, most) in bounds.items()}


def make(seed):
    rng = random.Random(seed)
    net = LargeNet(rng, rng.random() < DYNAMIC_SHARE, rng.choice(OPSETS))
    chosen = list(FAMILIES.values())
    if rng.random() < 0.7:
        chosen = [rng.choice(chosen)]
    parts = rng.randint(2, 5)
    for _ in range(4 * parts):
        if parts and grow_by(net, chosen):
            parts -= 1
    inputs = [helper.make_tensor_value_info(v.name, v.dtype, v.shape) for v in net.inputs]
    free = {}
    for info in inputs:
        for axis in net.symbols.get(info.name, ()):
            dim = info.type.tensor_type.shape.dim[axis]
            free[f"{info.name}_{axis}"] = dim.dim_value
            dim.dim_param = f"{info.name}_{axis}"
    outputs = outputs_of(net)
    results = [helper.make_tensor_value_info(v.name, v.dtype, None if free else v.shape) for v in outputs]
    graph = helper.make_graph(net.nodes, f"large_seed_{seed}", inputs, results, net.initializers, value_info=without_sizes(net.told) if free else net.told)
    proto = helper.make_model(graph, opset_imports=opset_imports(net.opset, net.domains), ir_version=10 if net.opset < 23 else 11, producer_name="random nets")
    bounds = bounds_of(rng, free)
    calls = [free] + [sizes_within(rng, bounds) for _ in range(OTHER_SIZES if free else 0)]
    data = [[array(rng, v.dtype, [sizes.get(f"{v.name}_{axis}", size) for axis, size in enumerate(v.shape)], *net.data[v.name]) for v in net.inputs]
            for sizes in calls]  # fmt: skip
    return Model(proto, data, False, [], bounds, large=True)
