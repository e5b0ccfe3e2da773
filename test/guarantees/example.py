# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kws_example.c (--example) compiles as C99 without warnings and runs, or says which status it got, however the model is compiled; sizes in the header are those of the model; nobody
who does not call kws_status_text has its text."""
import json
import os
import re

import common
import onnx

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror")
WAYS = {"plain": (), "file": ("--weights=file",), "in_arena": ("--io-in-arena",), "ram": ("--ram", "fast=8K,slow")}
given = common.arguments()


def macros(folder):
    with open(os.path.join(folder, "m.h"), encoding="utf-8") as file:
        return dict(re.findall(r"#define M_(\w+) (\d+)\n", file.read()))


def check(job):
    model, way = job
    folder = common.generate(given, model, f"{model.name}-{way}", "--example", *WAYS[way])
    made = common.build(common.clang(), folder, "m.o", "-O0")
    program = os.path.join(folder, "example")
    for compiler in ("gcc", common.clang().replace("clang++", "clang")):
        common.run(compiler, *FLAGS, "-I", folder, "-c", os.path.join(folder, "m_example.c"), "-o", program + ".o")
    common.run("g++", program + ".o", made, "-o", program)
    weights = os.path.join(folder, "m_weights.bin")
    result = common.subprocess.run([program, *([weights] if way == "file" else [])], stdout=common.subprocess.PIPE, stderr=common.subprocess.PIPE, text=True)
    found = macros(folder)
    with open(os.path.join(folder, "m_report.json"), encoding="utf-8") as file:
        report = json.load(file)
    varying = {end["name"] for end in report["inputs"] + report["outputs"] if not re.fullmatch(r"\w+\[[0-9, ]*\]", end["type"])}
    for kind, ends in (("INPUT", onnx.load(model.path).graph.input), ("OUTPUT", onnx.load(model.path).graph.output)):
        for end in ends:
            name = f"{kind}_{re.sub('[^A-Za-z0-9_]', '_', end.name).upper()}"
            dims = end.type.tensor_type.shape.dim
            if end.name in varying or f"{name}_RANK" not in found or not dims or not all(dim.HasField("dim_value") for dim in dims):
                continue  # renamed, or of sizes that the file does not have
            count = 1
            for i, dim in enumerate(dims):
                count *= dim.dim_value
                if found[f"{name}_DIM_{i}"] != str(dim.dim_value):
                    common.fail(f"{model.name}: {name}_DIM_{i} is {found[f'{name}_DIM_{i}']} instead of {dim.dim_value}")
            if found[f"{name}_ELEMENTS"] != str(count) or found[f"{name}_RANK"] != str(len(dims)):
                common.fail(f"{model.name}: {name} has {found[f'{name}_ELEMENTS']} elements instead of {count}")
    refused = result.returncode == 1 and result.stderr in ("m: dim out of bounds\n", "m: index out of range\n")  # zeros are no inputs for it
    if not refused and (result.returncode != 0 or ":" not in result.stdout):
        common.fail(f"{model.name}, {way}: the example ended with status {result.returncode} and said {result.stdout!r}, {result.stderr!r}")
    return not refused


ran = common.each(check, [(model, way) for model in common.models(given) for way in WAYS])
if sum(ran) < 0.8 * len(ran):
    common.fail(f"only {sum(ran)} of {len(ran)} examples had something to compute")

folder = common.generate(given, common.digits(), "text")
with open(common.build("g++", folder, "m.o", "-O0"), "rb") as file:
    if b"misaligned pointer" in file.read():
        common.fail("a net that nobody asks for texts of statuses has them")
