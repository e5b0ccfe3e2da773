# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Models that are large in what has subgraphs or sequences: loops and choices one behind the other, what one loop carries, reads and collects.
import numpy as np
from onnx import helper
from models import BOOL, FLOAT, INT64, chain, dimension, model, node, tensor, weight

SHAPE = [2, 4]


def loop_over(nodes, carried, results, scanned=()):
    """A Loop's body: carries `carried` (names) on as `results`."""
    return helper.make_graph([*nodes, node("Identity", ["c"], ["d"])], "body",
                             [tensor("i", [], INT64), tensor("c", [], BOOL), *(tensor(name, SHAPE) for name in carried)],
                             [tensor("d", [], BOOL), *(tensor(name, SHAPE) for name in [*results, *scanned])])


def branch(nodes, *names):
    return helper.make_graph(nodes, "branch", [], [tensor(name, SHAPE) for name in names])


@dimension
def loops(n):
    def step(i, a, b):
        return node("Loop", ["trips", "", a], [b], body=loop_over([node("Softmax", [f"v{i}"], [f"w{i}"])], [f"v{i}"], [f"w{i}"]))
    return chain(n, step, [tensor("x", SHAPE)], SHAPE, [weight("trips", np.int64(3))])


@dimension
def scans(n):
    def step(i, a, b):
        body = helper.make_graph([node("Add", [f"s{i}", f"e{i}"], [f"t{i}"]), node("Exp", [f"t{i}"], [f"o{i}"])], "body",
                                 [tensor(f"s{i}", [4]), tensor(f"e{i}", [4])], [tensor(f"t{i}", [4]), tensor(f"o{i}", [4])])
        return node("Scan", ["zeros", a], [f"final{i}", b], body=body, num_scan_inputs=1)
    return chain(n, step, [tensor("x", SHAPE)], SHAPE, [weight("zeros", np.zeros(4, np.float32))])


@dimension
def ifs(n):
    def step(i, a, b):
        return node("If", ["c"], [b], then_branch=branch([node("Exp", [a], [f"t{i}"])], f"t{i}"),
                    else_branch=branch([node("Softmax", [a], [f"e{i}"])], f"e{i}"))
    return chain(n, step, [tensor("x", SHAPE), tensor("c", [], BOOL)], SHAPE)


@dimension
def if_results(n):
    then = branch([node("Softmax", ["x"], [f"t{i}"], axis=i % 2) for i in range(n)], *(f"t{i}" for i in range(n)))
    otherwise = branch([node("Exp", [f"e{i - 1}" if i else "x"], [f"e{i}"]) for i in range(n)], *(f"e{i}" for i in range(n)))
    return model([node("If", ["c"], [f"y{i}" for i in range(n)], then_branch=then, else_branch=otherwise)],
                 [tensor("x", SHAPE), tensor("c", [], BOOL)], [tensor(f"y{i}", SHAPE) for i in range(n)])


@dimension
def carried_values(n):
    carried, results = [f"v{i}" for i in range(n)], [f"w{i}" for i in range(n)]
    body = loop_over([node("Softmax", [a], [b]) for a, b in zip(carried, results)], carried, results)
    return model([node("Loop", ["trips", "", *(f"x{i}" for i in range(n))], [f"y{i}" for i in range(n)], body=body)],
                 [tensor(f"x{i}", SHAPE) for i in range(n)], [tensor(f"y{i}", SHAPE) for i in range(n)], [weight("trips", np.int64(3))])


@dimension
def collected_values(n):
    body = loop_over([node("Exp", ["v"], ["w"])] + [node("Softmax", ["v"], [f"s{i}"], axis=i % 2) for i in range(n)], ["v"], ["w"],
                     [f"s{i}" for i in range(n)])
    return model([node("Loop", ["trips", "", "x"], ["last", *(f"y{i}" for i in range(n))], body=body)], [tensor("x", SHAPE)],
                 [tensor(f"y{i}", [3, *SHAPE]) for i in range(n)], [weight("trips", np.int64(3))])


@dimension
def outer_values(n):
    nodes = [node("Softmax", ["x"], [f"o{i}"], axis=i % 2) for i in range(n)]
    inner = [node("Mul", [f"w{i - 1}" if i else "v", f"o{i}"], [f"w{i}"]) for i in range(n)]
    nodes.append(node("Loop", ["trips", "", "x"], ["y"], body=loop_over(inner, ["v"], [f"w{n - 1}"])))
    return model(nodes, [tensor("x", SHAPE)], [tensor("y", SHAPE)], [weight("trips", np.int64(3))])


@dimension
def sequence_width(n):
    nodes = [node("Softmax", ["x"], [f"s{i}"], axis=i % 2) for i in range(n)]
    nodes += [node("SequenceConstruct", [f"s{i}" for i in range(n)], ["all"]), node("ConcatFromSequence", ["all"], ["y"], axis=0)]
    return model(nodes, [tensor("x", SHAPE)], [tensor("y", [2 * n, 4])])


@dimension
def sequence_inserts(n):
    nodes = [node("SequenceConstruct", ["x"], ["q0"])]
    nodes += [node("SequenceInsert", [f"q{i}", "x"], [f"q{i + 1}"]) for i in range(n)]
    nodes += [node("SequenceAt", [f"q{n}", "last"], ["y"])]
    return model(nodes, [tensor("x", SHAPE)], [tensor("y", SHAPE)], [weight("last", np.int64(-1))])
