# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Models that are large in what they bring along: weights, strings, names, quantized layers, trees; or in how long they keep values.
import numpy as np
from models import BOOL, INT64, INT8, STRING, UINT8, chain, dimension, model, node, tensor, weight


@dimension
def weights(n):
    values = np.linspace(-1, 1, 64, dtype=np.float32).reshape(8, 8)
    return chain(n, lambda i, a, b: node("MatMul", [a, f"w{i}"], [b]), [tensor("x", [2, 8])], [2, 8],
                 [weight(f"w{i}", values * (i + 1) / n) for i in range(n)])


@dimension
def quantized_chain(n):
    values = np.arange(64, dtype=np.int8).reshape(8, 8)
    scales = [weight("s", np.float32(0.1)), weight("z", np.uint8(128)), weight("ws", np.float32(0.05)), weight("wz", np.int8(0))]

    def step(i, a, b):
        return [node("QuantizeLinear", [a, "s", "z"], [f"q{i}"]), node("DequantizeLinear", [f"q{i}", "s", "z"], [f"d{i}"]),
                node("DequantizeLinear", [f"w{i}", "ws", "wz"], [f"e{i}"]), node("MatMul", [f"d{i}", f"e{i}"], [b])]
    return chain(n, step, [tensor("x", [2, 8])], [2, 8], scales + [weight(f"w{i}", np.roll(values, i)) for i in range(n)])


@dimension
def concat_softmaxes(n):
    nodes = [node("Softmax", ["x"], [f"s{i}"], axis=i % 2) for i in range(n)]
    nodes.append(node("Concat", [f"s{i}" for i in range(n)], ["y"], axis=0))
    return model(nodes, [tensor("x", [2, 4])], [tensor("y", [2 * n, 4])])


@dimension
def concat_symbolic(n):
    nodes = [node("Softmax", ["x"], [f"s{i}"], axis=i % 2) for i in range(n)]
    nodes.append(node("Concat", [f"s{i}" for i in range(n)], ["y"], axis=1))
    return model(nodes, [tensor("x", ["rows", 4])], [tensor("y", ["rows", 4 * n])])


@dimension
def concat_rows(n):
    """Along a dim of run time: where a part begins is a sum of sizes."""
    nodes = [node("Softmax", ["x"], [f"s{i}"], axis=i % 2) for i in range(n)]
    nodes.append(node("Concat", [f"s{i}" for i in range(n)], ["y"], axis=0))
    return model(nodes, [tensor("x", ["rows", 4])], [tensor("y", ["all", 4])])


@dimension
def residual_convolutions(n):
    """All share their channels."""
    def step(i, a, b):
        return [node("Conv", [a, "w"], [f"c{i}"], pads=[1, 1, 1, 1]), node("Relu", [f"c{i}"], [f"r{i}"]), node("Add", [f"r{i}", a], [b])]
    return chain(n, step, [tensor("x", [1, 4, 6, 6])], [1, 4, 6, 6], [weight("w", np.full((4, 4, 3, 3), 0.1, np.float32))])


@dimension
def long_lives(n):
    """All values are there before the first is read again."""
    nodes = [node("Softmax", [f"h{i - 1}" if i else "x"], [f"h{i}"]) for i in range(n)]
    nodes += [node("Mul", [f"a{i + 1}" if i + 1 < n else "x", f"h{i}"], [f"a{i}"]) for i in reversed(range(n))]
    nodes.append(node("Neg", ["a0"], ["y"]))
    return model(nodes, [tensor("x", [2, 4])], [tensor("y", [2, 4])])


@dimension
def equal_names(n):
    """Names that differ only in what an identifier cannot have."""
    names = ["v" + "".join(".:/-"[i >> 2 * digit & 3] for digit in range(8)) for i in range(n + 1)]
    nodes = [node("Softmax" if i % 2 else "Exp", [names[i]], [names[i + 1]]) for i in range(n)]
    return model(nodes, [tensor(names[0], [4])], [tensor(name, [4]) for name in names[1:]])


@dimension
def einsum_terms(n):
    return model([node("Einsum", ["x"] * n, ["y"], equation=",".join(["ab"] * n) + "->a")], [tensor("x", [2, 4])], [tensor("y", [2])])


@dimension
def tree_ensemble(n):
    """n trees of one decision each."""
    ids = [i for tree in range(n) for i in (tree, tree, tree)]
    attributes = dict(nodes_treeids=ids, nodes_nodeids=[0, 1, 2] * n, nodes_featureids=[0, 0, 0] * n, nodes_values=[0.5, 0.0, 0.0] * n,
                      nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"] * n, nodes_truenodeids=[1, 0, 0] * n, nodes_falsenodeids=[2, 0, 0] * n,
                      target_treeids=[tree for tree in range(n) for _ in range(2)], target_nodeids=[1, 2] * n, target_ids=[0, 0] * n,
                      target_weights=[1.0, -1.0] * n, n_targets=1)
    return model([node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **attributes)], [tensor("x", [1, 4])],
                 [tensor("y", [1, 1])], extra=[("ai.onnx.ml", 3)])


@dimension
def deep_tree(n):
    """One tree, each decision of which has a leaf and the next decision."""
    ids, leaves = list(range(2 * n + 1)), [2 * i + 1 for i in range(n)] + [2 * n]
    inner = [i % 2 == 0 and i < 2 * n for i in ids]
    attributes = dict(nodes_treeids=[0] * len(ids), nodes_nodeids=ids, nodes_featureids=[i % 4 for i in ids], nodes_values=[i / n for i in ids],
                      nodes_modes=["BRANCH_LEQ" if is_inner else "LEAF" for is_inner in inner],
                      nodes_truenodeids=[i + 1 if is_inner else 0 for i, is_inner in zip(ids, inner)],
                      nodes_falsenodeids=[i + 2 if is_inner else 0 for i, is_inner in zip(ids, inner)],
                      target_treeids=[0] * len(leaves), target_nodeids=leaves, target_ids=[0] * len(leaves),
                      target_weights=[float(leaf) for leaf in leaves], n_targets=1)
    return model([node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **attributes)], [tensor("x", [1, 4])],
                 [tensor("y", [1, 1])], extra=[("ai.onnx.ml", 3)])


@dimension
def encoded_labels(n):
    return model([node("LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", keys_int64s=list(range(n)), values_int64s=list(range(n, 2 * n)))],
                 [tensor("x", [4], INT64)], [tensor("y", [4], INT64)], extra=[("ai.onnx.ml", 3)])


@dimension
def strings(n):
    nodes = [node("Constant", [], ["words"], value_strings=[f"word {i}" for i in range(n)]), node("Gather", ["words", "x"], ["y"])]
    return model(nodes, [tensor("x", [4], INT64)], [tensor("y", [4], STRING)])


@dimension
def slice_updates(n):
    """One tensor that is written piece by piece, as caches and images are."""
    def step(i, a, b):
        return [node("Exp", ["u"], [f"e{i}"]), node("ScatterND", [a, f"at{i}", f"e{i}"], [b])]
    return chain(n, step, [tensor("x", [2 * n, 2]), tensor("u", [2, 2])], [2 * n, 2],
                 [weight(f"at{i}", np.int64([[i], [n + i]])) for i in range(n)])


@dimension
def column_updates(n):
    """Each piece is read by the next, which goes to other columns."""
    def step(i, a, b):
        return [node("Exp", [f"u{i - 1}" if i else "u"], [f"u{i}"]), node("ScatterElements", [a, f"at{i}", f"u{i}"], [b], axis=1)]
    return chain(n, step, [tensor("x", [2, 2 * n]), tensor("u", [2, 2])], [2, 2 * n],
                 [weight(f"at{i}", np.int64([[i, n + i]] * 2)) for i in range(n)])


@dimension
def rotating_parts(n):
    """Each link takes its input apart and joins it in another order: what lies in a value comes from all links before."""
    def step(i, a, b):
        return [node("Split", [a], [f"l{i}", f"r{i}"], axis=0, num_outputs=2), node("Softmax", [f"l{i}"], [f"s{i}"]),
                node("Concat", [f"r{i}", f"s{i}"], [b], axis=0)]
    return chain(2 * n, step, [tensor("x", [4, 3])], [4, 3])
