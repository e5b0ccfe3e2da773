#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memory.py MODEL COMMAND...: writes a model of 100 MB, runs the command, and says whether its peak memory stayed below 1.5 times that."""
import os
import subprocess
import sys

from onnx import TensorProto, helper


def write(path):
    """In a process of its own: a child begins with its parent's peak."""
    weights = [TensorProto(name=f"w{i}", data_type=TensorProto.FLOAT, dims=[1024, 1024]) for i in range(25)]
    for i, weight in enumerate(weights):
        row = os.urandom(1024) * (4096 - i)
        if i % 2:
            weight.raw_data = row + bytes((1 << 22) - len(row))
        else:
            weight.float_data.extend([float(i)] * (1 << 20))
    nodes = [helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"x{i + 1}"]) for i in range(25)]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x0", 1, [1, 1024])], [helper.make_tensor_value_info("x25", 1, [1, 1024])], weights)
    with open(path, "wb") as file:
        file.write(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8).SerializeToString())


if sys.argv[2:] == ["write"]:
    write(sys.argv[1])
    sys.exit()
subprocess.run([sys.executable, __file__, sys.argv[1], "write"], check=True)
size = os.path.getsize(sys.argv[1])
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
peak = usage.ru_maxrss * 1024
print(f"model {size >> 20} MiB, peak {peak >> 20} MiB")
print("peak below 1.5 times the model" if status == 0 and peak < 1.5 * size else "too much")
