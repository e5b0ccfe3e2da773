# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# If, Loop and Scan, with values from outside, carried values that swap, pass through, start from one tensor or are read again behind the
# loop, results that are collected, and each other inside.
import numpy as np
from net import FLOATS, SYMBOL_SIZE, Net, NotPossible, T, Value
from onnx import helper

MOST_DEPTH = 2
CARRIED = [T.FLOAT] * 6 + [T.INT64, T.INT32, T.FLOAT16, T.BOOL]


def depth(net):
    return 0 if net.outer is None else 1 + depth(net.outer)


def body(net, arguments):
    """An empty body with these arguments."""
    if depth(net) >= MOST_DEPTH:
        raise NotPossible
    inner = Net(net.rng, net.symbolic, net, net.names)
    inner.inputs = arguments
    inner.values = list(arguments)
    return inner


def fill(inner, most=4):
    from makers import grow

    grow(inner, inner.integer(0, most))


def argument(net, dtype, shape):
    return Value(net.name("a"), dtype, shape)


def same_kind(inner, value, exclude=()):
    """A value of the body with this type and shape, else one made by an operator from `value`, else itself."""
    fits = [v for v in inner.values if v.dtype == value.dtype and v.shape == value.shape and v.name not in exclude]
    if fits and inner.chance(0.7):
        return inner.choose(fits[-4:])
    outer = [v for v in inner.visible() if v.dtype == value.dtype and v.shape == value.shape]
    if outer and inner.chance(0.15):
        return inner.choose(outer)
    if value.dtype == T.BOOL:
        return inner.add("Not", [value])
    return inner.add(inner.choose(["Add", "Sub", "Max"]), [value, inner.operand(value.dtype, value.shape)])


def results_of(inner, values):
    """Yielded values: copies where a name would stand twice or belongs outside, at times."""
    own = {v.name for v in inner.values}
    named = []
    for value in values:
        if value.name not in own or (value.name in [v.name for v in named] and inner.chance(0.7)):
            value = inner.add("Identity", [value])
        named.append(value)
    if len({v.name for v in named}) < len(named):
        named = [v if [w.name for w in named].index(v.name) == i else inner.add("Identity", [v]) for i, v in enumerate(named)]
    return named


def graph_of(inner, outputs, name):
    initializers = inner.initializers

    def info(value):  # ranks always: onnxruntime asks for them
        return helper.make_tensor_value_info(value.name, value.dtype, [None] * value.rank if inner.symbolic else value.shape)

    infos, inputs = [info(v) for v in outputs], [info(v) for v in inner.inputs]
    return helper.make_graph(inner.nodes, name, inputs, infos, initializers, value_info=inner.told)


def condition(net):
    if net.chance(0.3):
        return net.constant(np.array(net.chance(0.5)))
    flags = [v for v in net.visible() if v.dtype == T.BOOL and v.shape == ()]
    return net.choose(flags) if flags and net.chance(0.5) else net.input(T.BOOL, ())


def branches(net):
    count = net.integer(1, 3)
    samples = [net.pick(CARRIED, range(5)) for _ in range(count)]
    when = condition(net)
    graphs = []
    for name in ("then_branch", "else_branch"):
        inner = body(net, [])
        fill(inner)
        graphs.append(graph_of(inner, results_of(inner, [same_kind(inner, v) for v in samples]), name))
    net.add("If", [when], count, then_branch=graphs[0], else_branch=graphs[1], shapes=[(v.dtype, v.shape) for v in samples])


def carried_values(net):
    """Where carried values start: often several from one tensor."""
    count = net.integer(1, 4)
    first = net.pick(CARRIED, range(4), lambda v: v.size <= 256)
    start = [first]
    for _ in range(count - 1):
        other = net.operand(first.dtype, first.shape) if net.chance(0.6) else net.pick(CARRIED, range(4), lambda v: v.size <= 256)
        start.append(first if net.chance(0.4) else other)
    return start


def next_values(inner, carried):
    """What carried values become: computed, passed through, swapped, rotated."""
    how = inner.choose(["computed", "computed", "computed", "same", "swapped"])
    if how == "same":
        return [v if inner.chance(0.5) else same_kind(inner, v) for v in carried]
    if how == "swapped":
        turned = carried[1:] + carried[:1]
        if all(a.dtype == b.dtype and a.shape == b.shape for a, b in zip(carried, turned)):
            return [v if inner.chance(0.7) else same_kind(inner, v) for v in turned]
    return [same_kind(inner, v, [v.name] if inner.chance(0.8) else []) for v in carried]


def trip_count(net):
    """How often a loop runs, and the value that says it: a number, or as often as a symbolic dim is long."""
    long = [v for v in net.visible() if v.rank and v.shape[0] == SYMBOL_SIZE] if net.symbolic and net.outer is None else []
    if long and net.chance(0.4):
        sizes = net.add("Shape", [net.choose(long)])
        return SYMBOL_SIZE, net.add("Gather", [sizes, net.constant(np.array(0, np.int64))])
    trips = net.integer(0, 4)
    return trips, None


def loop(net):
    start = carried_values(net)
    trips, count = trip_count(net)
    inner = body(net, [])
    step, going = argument(inner, T.INT64, ()), argument(inner, T.BOOL, ())
    carried = [argument(inner, v.dtype, v.shape) for v in start]
    inner.inputs = [step, going, *carried]
    inner.values = list(inner.inputs)
    fill(inner)
    ends = count is None and net.chance(0.25)  # by a condition on the step
    flag = inner.add("Less", [step, inner.constant(np.array(net.integer(0, 3), np.int64))]) if ends else inner.add("Identity", [going])
    kept = next_values(inner, carried)
    collected = [] if ends else [inner.choose([v for v in inner.values if v.size <= 256] or [step]) for _ in range(net.integer(0, 2))]
    if collected and net.symbolic:  # what is collected in no step has sizes that nobody knows
        trips = max(trips, 1)
    outputs = results_of(inner, [flag, *kept, *collected])
    collected = outputs[1 + len(kept) :]
    graph = graph_of(inner, outputs, "body")
    count = net.constant(np.array(trips, np.int64)) if count is None else count
    first = net.choose([None, net.constant(np.array(True))])
    shapes = [(v.dtype, v.shape) for v in start] + [(v.dtype, (trips, *v.shape)) for v in collected]
    made = net.add("Loop", [count, first, *start], max(len(shapes), 1), body=graph, shapes=shapes)
    read_again(net, start)
    return made


def read_again(net, start):
    """Who reads what the loop started from, behind it."""
    for value in start:
        if net.chance(0.3) and value.dtype in (T.FLOAT, T.INT64):
            net.add("Neg", [value])


def scan(net):
    start = carried_values(net) if net.chance(0.8) else []
    length = SYMBOL_SIZE if net.symbolic and net.outer is None and net.chance(0.4) else net.integer(1, 5)
    scanned = []
    for _ in range(net.integer(1, 2)):
        if net.chance(0.6):
            value = net.pick(FLOATS, range(1, 4), lambda v: v.shape[0] == length, fresh=0.1)
        else:
            value = net.input(T.FLOAT, (length, *net.shape(net.integer(0, 2))))
        if value.shape[0] == length and value.size <= 512:
            scanned.append(value)
    if not scanned:
        raise NotPossible
    inner = body(net, [])
    carried = [argument(inner, v.dtype, v.shape) for v in start]
    elements = [argument(inner, v.dtype, v.shape[1:]) for v in scanned]
    inner.inputs = [*carried, *elements]
    inner.values = list(inner.inputs)
    fill(inner)
    kept = next_values(inner, carried)
    collected = [inner.choose([v for v in inner.values if v.size <= 256] or elements) for _ in range(net.integer(0 if start else 1, 2))]
    outputs = results_of(inner, [*kept, *collected])
    shapes = [(v.dtype, v.shape) for v in start] + [(v.dtype, (length, *v.shape)) for v in outputs[len(kept) :]]
    how = {"scan_input_directions": [net.integer(0, 1) for _ in scanned]} if net.chance(0.3) else {}
    net.add("Scan", [*start, *scanned], len(shapes), body=graph_of(inner, outputs, "body"), num_scan_inputs=len(scanned), shapes=shapes, **how)
    read_again(net, start)


MAKERS = [(branches, 2), (loop, 3), (scan, 2)]
