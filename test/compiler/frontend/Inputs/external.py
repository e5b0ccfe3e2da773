#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""external.py FOLDER: a tree of models with external data, honest and hostile, and the files that they name. external_data.test reads it."""
import hashlib
import os
import shutil
import sys

from onnx import TensorProto, helper

ELEMENTS = 512  # 2048 bytes of float
FOLDER = sys.argv[1]


def path(*parts):
    result = os.path.join(FOLDER, *parts)
    os.makedirs(os.path.dirname(result), exist_ok=True)
    return result


def model(name, data_type=TensorProto.FLOAT, **keys):
    """FOLDER/model/NAME.onnx: y = Identity(w), where w's data is what `keys` say."""
    weight = TensorProto(name="w", data_type=data_type, dims=[ELEMENTS], data_location=TensorProto.EXTERNAL)
    for key, value in keys.items():
        weight.external_data.add(key=key, value=str(value))
    graph = helper.make_graph([helper.make_node("Identity", ["w"], ["y"])], "g", [], [helper.make_tensor_value_info("y", data_type, [ELEMENTS])], [weight])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with open(path("model", name + ".onnx"), "wb") as file:
        file.write(proto.SerializeToString())


shutil.rmtree(FOLDER, ignore_errors=True)
for place in (("model", "w.bin"), ("model", "sub", "w.bin"), ("model-other", "w.bin"), ("outside", "w.bin")):
    with open(path(*place), "wb") as file:
        file.write(bytes(range(256)) * 8 + b"tail")
os.symlink("w.bin", path("model", "link_inside"))
os.symlink("../outside/w.bin", path("model", "link_outside"))
os.symlink("../outside", path("model", "folder_outside"))
os.link(path("outside", "w.bin"), path("model", "hard_link"))
os.mkfifo(path("model", "fifo"))

model("plain", location="w.bin")
model("offset", location="sub/w.bin", offset=4, length=2048)
with open(path("model", "w.bin"), "rb") as data:
    SUM = hashlib.sha1(data.read()).hexdigest()
model("checksum", location="w.bin", offset=4, checksum=SUM)
model("checksum_upper", location="w.bin", checksum=SUM.upper())
model("checksum_other", location="w.bin", checksum=SUM[:-1] + ("0" if SUM[-1] != "0" else "1"))
model("checksum_short", location="w.bin", checksum=SUM[:8])
model("offset_above", location="w.bin", offset=5)
model("length_differs", location="w.bin", length=2047)
model("huge_offset", location="w.bin", offset=2**64 - 1)
model("offset_overflow", location="w.bin", offset=2**64)
model("negative_offset", location="w.bin", offset=-4)
model("hex_offset", location="w.bin", offset="0x4")
model("unknown_key", location="w.bin", secret="1")
model("no_location", offset=0)
model("missing", location="none.bin")
model("parent", location="../outside/w.bin")
model("detour", location="sub/../../outside/w.bin")
model("sibling", location="../model-other/w.bin")
model("absolute", location=os.path.abspath(path("outside", "w.bin")))
model("link_inside", location="link_inside")
model("link_outside", location="link_outside")
model("folder_outside", location="folder_outside/w.bin")
model("hard_link", location="hard_link")
model("fifo", location="fifo")
model("folder", location="sub")
model("nul", location="w.bin\0.txt")
model("strings", data_type=TensorProto.STRING, location="w.bin")
