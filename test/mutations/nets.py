# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random nets (test/random) as subjects of mutation: operators among others, those of ONNX's classical and onnxruntime's contrib domain too."""
import os
import sys

import numpy as np
from subject import LARGEST, Subject

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "random"))
import makers  # noqa: E402
from large import model as large_model  # noqa: E402

LARGE_EVERY = 8  # seeds whose net is a large one, of which other passes and kernels are


def keep_read(graph):
    """Drops nodes of which nothing is read: who mutates them changes nothing."""
    read = {info.name for info in graph.output}
    for node in reversed(list(graph.node)):
        if read.isdisjoint(node.output):
            graph.node.remove(node)
        else:
            read.update(node.input)
            read.update(name for attribute in node.attribute for name in names_in(attribute.g))


def names_in(graph):
    for node in graph.node:
        yield from node.input
        for attribute in node.attribute:
            yield from names_in(attribute.g)
    yield from (info.name for info in graph.output)


def net(seed):
    """A subject, or None where the seed gives no net of known sizes."""
    made = (makers if seed % LARGE_EVERY else large_model).make(seed)
    inputs = made.proto.graph.input
    data = {info.name: value for info, value in zip(inputs, made.data[0])}
    if made.symbolic or made.free or made.proto.ByteSize() > LARGEST or not all(isinstance(data.get(info.name), np.ndarray) for info in inputs):
        return None
    keep_read(made.proto.graph)
    return Subject(f"net_{seed}", made.proto, data)
