# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ends_of_int64.py FOLDER: numbers of operators at the ends of int64, and -1 and 0, one at a time: attributes and constant operands that become starts,
sizes, pads, steps, repeats. The compiler ends with sources (0) or a diagnostic (2)."""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FOLDER = sys.argv[1]
ENDS = [-(2**63), -(2**63) + 1, 2**63 - 1, 2**62, -1, 0]
# operator, attributes, constant operands behind the input x [2, 4, 6, 6], with the numbers that are usual there
USUAL = [
    ("Pad", {"mode": "constant"}, [[0, 0, 1, 1, 0, 0, 1, 1]]),
    ("Pad", {"mode": "reflect"}, [[0, 0, 1, 1, 0, 0, 1, 1]]),
    ("Slice", {}, [[1], [5], [3], [2]]),
    ("Slice", {}, [[5], [0], [3], [-2]]),
    ("Tile", {}, [[1, 2, 1, 1]]),
    ("Expand", {}, [[2, 4, 6, 6]]),
    ("Reshape", {"allowzero": 1}, [[2, 4, 36]]),
    ("Split", {"axis": 1}, [[1, 3]]),
    ("Gather", {"axis": 2}, [[1, 3]]),
    ("Unsqueeze", {}, [[1]]),
    ("Squeeze", {}, [[0]]),
    ("ReduceSum", {}, [[1]]),
    ("Trilu", {}, [1]),
    ("TopK", {"axis": 3}, [[2]]),
    ("CumSum", {}, [1]),
    ("OneHot", {"axis": 1}, [3, np.array([0, 1], np.float32)]),
    ("Flatten", {"axis": 2}, []),
    ("Concat", {"axis": 1}, []),
    ("Softmax", {"axis": 1}, []),
    ("DepthToSpace", {"blocksize": 2}, []),
    ("SpaceToDepth", {"blocksize": 2}, []),
    ("Shape", {"start": 1, "end": 3}, []),
    ("MaxPool", {"kernel_shape": [2, 2], "strides": [1, 1], "dilations": [1, 1], "pads": [0, 0, 1, 1]}, []),
    ("AveragePool", {"kernel_shape": [2, 2], "strides": [1, 1], "pads": [0, 0, 1, 1]}, []),
    ("Conv", {"strides": [1, 1], "dilations": [1, 1], "pads": [0, 0, 1, 1], "group": 1}, [np.ones((2, 4, 2, 2), np.float32)]),
    ("ConvTranspose", {"strides": [1, 1], "dilations": [1, 1], "pads": [0, 0, 1, 1], "output_padding": [0, 0], "group": 1}, [np.ones((4, 2, 2, 2), np.float32)]),
    ("LRN", {"size": 3}, []),
    ("CenterCropPad", {"axes": [2, 3]}, [[4, 8]]),
]  # fmt: skip


def variants(value):
    """A number or a list of them, one at an end."""
    if isinstance(value, int):
        yield from ENDS
    elif isinstance(value, list):
        for place in {0, len(value) // 2, len(value) - 1}:
            yield from ([*value[:place], end, *value[place + 1 :]] for end in ENDS)


def cases():
    for op, attributes, operands in USUAL:
        for name, value in attributes.items():
            yield from ((op, {**attributes, name: changed}, operands) for changed in variants(value))
        for place, value in enumerate(operands):
            yield from ((op, attributes, [*operands[:place], changed, *operands[place + 1 :]]) for changed in variants(value))


def check(case):
    number, (op, attributes, operands) = case
    weights = [numpy_helper.from_array(value if isinstance(value, np.ndarray) else np.array(value, np.int64), f"w{i}") for i, value in enumerate(operands)]
    names = ["x", *(weight.name for weight in weights)]
    outputs = ["y", "z"] if op in ("Split", "TopK") else ["y"]
    graph = helper.make_graph([helper.make_node(op, names, outputs, **attributes)], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 4, 6, 6])],
                              [helper.make_tensor_value_info(name, TensorProto.INT64 if op in ("Shape",) or name == "z" and op == "TopK" else TensorProto.FLOAT, None)
                               for name in outputs], weights)  # fmt: skip
    path = os.path.join(FOLDER, f"{number}.onnx")
    with open(path, "wb") as file:
        file.write(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9).SerializeToString())
    what = f"{op} {attributes} {[value for value in operands if not isinstance(value, np.ndarray)]}"
    done = subprocess.run(["sinter", path, "-o", os.path.join(FOLDER, f"{number}") + "/"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2) or "E0901" in done.stderr:
        return f"{what}: status {done.returncode}\n{done.stderr[:1000]}"
    return None


os.makedirs(FOLDER, exist_ok=True)
with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(check, enumerate(cases())))
bad = [text for text in results if text]
print("\n".join(bad))
print(f"{len(results)} models, {len(bad)} end otherwise")
sys.exit(bool(bad))
