# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A whole model from a seed: how many nodes, which families, symbolic dims, which values are outputs, and inputs for several calls.
import random

import attention
import classical
import contrib
import control
import data_sized
import edge_values
import elementwise
import forms
import movement
import numpy as np
import patterns
import placed
import products
import quantized
import reductions
import sampling
import sequences
import signals
import small_types
import states
import windows
from net import SYMBOL, SYMBOL_SIZE, Net, NotPossible, array, opset_imports
from onnx import TensorProto as T
from onnx import helper

FAMILIES = {"elementwise": elementwise, "movement": movement, "reductions": reductions, "products": products, "quantized": quantized,
            "control": control, "patterns": patterns, "sampling": sampling, "sequences": sequences,
            "attention": attention, "classical": classical, "contrib": contrib, "small_types": small_types, "placed": placed,
            "signals": signals, "data_sized": data_sized, "windows": windows, "edge_values": edge_values, "forms": forms}  # fmt: skip
OPSETS = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24]  # and 21, most of the time
HELD_ONLY = {*small_types.INTEGERS, *small_types.FLOATS}  # numpy does not hold them in a way that all agree about
SIZES = [SYMBOL_SIZE, 1, 2, 9, 5]  # of the symbolic dim, in the data sets
LEAST_SIZE, MOST_SIZE = 1, 9
FREE_SHARE = 0.15  # of the models: dims of inputs are symbols that have nothing to do with each other


def grow_by(net, families):
    """Asks a maker of one of these families; whether it has come to its end. What it has added so far is a valid part."""
    makers = [(maker, weight / sum(w for _, w in family.MAKERS)) for family in families for maker, weight in family.MAKERS]
    functions, shares = zip(*makers)
    try:
        net.rng.choices(functions, shares)[0](net)
        return True
    except NotPossible:
        return False


def grow(net, nodes, families=None):
    """Adds so many nodes, or a pattern of a few."""
    goal = len(net.nodes) + nodes
    for _ in range(4 * nodes):
        if len(net.nodes) >= goal:
            return
        grow_by(net, [FAMILIES[name] for name in families or FAMILIES])


def outputs_of(net):
    """Everything that nobody reads, some values inside, at times an input or a constant."""
    made = [v for v in net.values if v.constant is None and v not in net.inputs and v.dtype not in HELD_ONLY]
    outputs = [v for v in made if v.name not in net.read]
    outputs += [v for v in made if v.name in net.read and net.chance(0.08)]
    if not outputs:
        outputs.append(net.add("Identity", [net.pick()]))
    if net.chance(0.04):
        outputs.append(net.choose(net.inputs + [v for v in net.values if v.constant is not None and v.dtype not in HELD_ONLY] or outputs))
    return outputs


class Model:
    """A model with inputs for its calls. `states`: (output, input) that are one buffer. `free`: dims of inputs that each have a symbol of
    their own, with their bounds. `large`: from large/model.py."""

    def __init__(self, proto, data, symbolic, states, free, large=False):
        self.proto, self.data, self.symbolic, self.states, self.free, self.large = proto, data, symbolic, states, free, large

    def flags(self):
        bounds = [f"{SYMBOL}={LEAST_SIZE}..{MOST_SIZE}"] if self.symbolic else []
        bounds += [f"{name}={least}..{most}" for name, (least, most) in self.free.items()]
        return [f"--state={made}={given}" for made, given in self.states] + [word for bound in bounds for word in ("--dim", bound)]


def dims_of(value, symbolic):
    return [SYMBOL if symbolic and i == 0 and d == SYMBOL_SIZE else d for i, d in enumerate(value.shape)]


def freed(rng, inputs):
    """Gives dims of the inputs symbols, all or some; their bounds."""
    share, free = rng.choice([0.4, 1]), {}
    for info in inputs:
        for i, dim in enumerate(info.type.tensor_type.shape.dim):
            if rng.random() < share:
                free[f"{info.name}_{i}"] = min(dim.dim_value, 1), dim.dim_value + 2
                dim.dim_param = f"{info.name}_{i}"
    return free


def without_sizes(infos):
    for info in infos:
        for dim in info.type.tensor_type.shape.dim:
            dim.Clear()
    return infos


def make(seed):
    rng = random.Random(seed)
    symbolic = rng.random() < 0.15
    families = list(FAMILIES) if rng.random() < 0.4 else rng.sample(list(FAMILIES), rng.randint(1, min(3, len(FAMILIES))))
    opset = rng.choice(OPSETS) if rng.random() < 0.4 else 21
    net = Net(rng, symbolic, opset=max(opset, 23) if families == ["attention"] else opset)
    grow(net, rng.choice([1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40]), families)
    if not net.nodes:
        grow(net, 3)
    kept = states.kept(net) if net.chance(0.2) and not symbolic else []
    outputs = outputs_of(net)
    outputs += [v for v, _ in kept if v not in outputs]
    symbolic = symbolic and any(dims_of(v, True) != list(v.shape) for v in net.inputs)
    inputs = [helper.make_tensor_value_info(v.name, v.dtype, dims_of(v, symbolic)) for v in net.inputs]
    free = freed(rng, inputs) if not symbolic and not kept and rng.random() < FREE_SHARE else {}
    results = [helper.make_tensor_value_info(v.name, v.dtype, None if symbolic or free else v.shape) for v in outputs]
    graph = helper.make_graph(net.nodes, f"seed_{seed}", inputs, results, net.initializers, value_info=without_sizes(net.told) if free else net.told)
    proto = helper.make_model(graph, opset_imports=opset_imports(net.opset, net.domains), ir_version=10 if net.opset < 23 else 11, producer_name="random nets")
    data = []
    for size in SIZES if symbolic else [0]:
        shapes = [[size if d == SYMBOL else d for d in dims_of(v, symbolic)] for v in net.inputs]
        data.append([array(rng, v.dtype, shape, *net.data[v.name]) for v, shape in zip(net.inputs, shapes)])
    return Model(proto, data, symbolic, [(made.name, given.name) for made, given in kept], free)
