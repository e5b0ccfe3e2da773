# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same promises of a program for GPUs, without a GPU and without NVRTC: host source and header have no warnings, also for Arm, whatever a model
calls its tensors; every global symbol carries the prefix, and nothing but the C library is needed; the device source is C++ that clang compiles as CUDA
without a toolkit, and what comes out is PTX that ptxas takes, where there is one; all files are the same bytes again."""
import filecmp
import os
import shutil

import common
from onnx import TensorProto, helper, save

TARGET = "cuda-sm_80"
LEVELS = ("-O0", "-O2")  # of optimization: by turns, so that each compiler meets both
NEEDED = {"memcpy", "memset", "memcmp", "memmove", "strlen", "calloc", "free", "dlopen", "dlsym", "dlclose", "dlerror", "_GLOBAL_OFFSET_TABLE_", "__cpu_model"}
SHOWN = {"m_" + name for name in ("create", "run", "run_with", "error", "destroy", "info")}
PTXAS = shutil.which("ptxas")
given = common.arguments()
os.environ["SINTER_NVRTC"] = given.work  # there is none


def hostile():
    """Names that would end a comment, a string, a line, and words that mean something in C++ and CUDA."""
    names = ["*/ int x; /*", '"; int y; "', "a\nint z;", "\\", "??/", "__global__", "threadIdx", "call", "run", "instance", "stream", "in", "out", "%s", "\x01", "${x}", "//"]
    path = os.path.join(given.work, "hostile.onnx")
    sides = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in side] for side in (names, [name + "'" for name in names])]
    nodes = [helper.make_node("Exp", [name], [name + "'"], name=name) for name in names]
    save(helper.make_model(helper.make_graph(nodes, names[0], *sides), opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return common.Model("hostile", path)


def models():
    """Those that GPUs take: strings stay with the CPU, and so does a flag for its threads."""
    strings = ("test_equal_string", "test_unique_sorted_with_axis")
    return [model for model in common.models(given) if "--threads" not in model.flags and model.name not in strings] + [hostile()]


def warnings(folder, compiler, level):
    return common.build(compiler, folder, f"{compiler}{level}.o", level, *common.WARNINGS, "-fno-stack-protector", "-U_FORTIFY_SOURCE")


def header(folder, compiler):
    """The header alone, in each C and C++."""
    source = os.path.join(folder, "header.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write('#include "m.h"\n#include "m.h"\n')
    for language, standards in (("c", ("c99", "c11", "c17", "c2x")), ("c++", ("c++17", "c++20"))):
        for standard in standards:
            common.run(compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I", folder, source)


def symbols(made, tool):
    lines = [line.split() for line in common.run(tool, made).splitlines()]
    undefined = {fields[-1] for fields in lines if len(fields) >= 2 and fields[-2] == "U"}
    shown = {fields[-1] for fields in lines if len(fields) >= 2 and fields[-2].isupper() and fields[-2] != "U"}
    hidden = {"m_weights"}
    if undefined - NEEDED or shown - hidden != SHOWN:
        common.fail(f"{made}: needs {sorted(undefined - NEEDED)}, shows {sorted((shown - hidden) ^ SHOWN)}")


def device(folder, sms):
    """As clang's CUDA, without a toolkit; warnings are those that the host's compilers give too. Loops that it does not unroll are as good as others."""
    for sm in sms:
        arch, made = f"sm_{sm}", os.path.join(folder, f"m_{sm}")
        common.run(common.clang(), "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", f"--cuda-gpu-arch={arch}", "-std=c++17", "-O2", "-S", "-Werror",
                   "-Wno-unknown-cuda-version", "-Wno-pass-failed", os.path.join(folder, "m.cu"), "-o", made + ".ptx")  # fmt: skip
        if PTXAS and common.run(PTXAS, "-arch=" + arch, made + ".ptx", "-o", made + ".cubin"):
            common.fail(f"{folder}: ptxas has something to say for {arch}")


def check(job):
    number, model = job
    folder = common.generate(given, model, model.name, "--target", TARGET)
    again = common.generate(given, model, f"again/{model.name}", "--target", TARGET)
    different = [name for name in sorted(os.listdir(folder)) if not filecmp.cmp(os.path.join(folder, name), os.path.join(again, name), shallow=False)]
    if different:
        common.fail(f"{model.name}: {different} differ")
    for turn, compiler in enumerate(common.compilers()):
        symbols(warnings(folder, compiler, LEVELS[(number + turn) % len(LEVELS)]), "nm")
    header(folder, common.compilers()[number % len(common.compilers())])
    device(folder, (75, 80, 87, 90) if model.name in ("digits", "hostile") else (80,))
    if shutil.which("aarch64-linux-gnu-g++"):
        folder = common.generate(given, model, f"{model.name}-aarch64", "--target", "cuda-orin")
        symbols(warnings(folder, "aarch64-linux-gnu-g++", "-O2"), "aarch64-linux-gnu-nm")


common.each(check, list(enumerate(models())))
