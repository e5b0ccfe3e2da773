# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile values at run time have a status or a stated result, the same on each architecture, and never trap: hostile_values.cpp, native, under
the sanitizers, and for aarch64 under emulation."""
import os

import common

given = common.arguments()
embedding = common.from_text(given, "embedding", "--dim", "n=1..32")
arithmetic = common.from_text(given, "arithmetic")
source = os.path.join(common.HERE, "hostile_values.cpp")


def check(name, target, compiler, flags, *runner):
    folder = common.generate(given, embedding, name, "--target", target, "--prefix", "checked")
    common.generate(given, embedding, name, "--target", target, "--prefix", "clamped", "--index-check", "clamp")
    common.generate(given, arithmetic, name, "--target", target, "--prefix", "arithmetic")
    objects = [common.build(compiler, folder, prefix + ".o", *flags, prefix=prefix) for prefix in ("checked", "clamped", "arithmetic")]
    program = os.path.join(folder, "program")
    common.run(compiler, "-std=c++17", *flags, "-I", folder, source, *objects, "-o", program)
    common.run(*runner, program)


check("native", "host", "g++", ("-O2",))
check("sanitized", "host", common.clang(), ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"))
if common.shutil.which("aarch64-linux-gnu-g++") and common.shutil.which("qemu-aarch64"):
    check("aarch64", "aarch64", "aarch64-linux-gnu-g++", ("-O2", "-static"), "qemu-aarch64")
