# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each header compiles by itself as C99 and C++, each wrapper as C++17 and C++20; headers of two models go into one unit of C and of C++,
and a program of both models runs (two_models.c, wrapper.cpp)."""
import os

import common

WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")
given = common.arguments()


def alone(model):
    folder = common.generate(given, model, model.name)
    for compiler in common.compilers():
        for language, header in (("c", "m.h"), ("c++", "m.h"), ("c++", "m.hpp")):
            for standard in ("c99",) if language == "c" else ("c++17", "c++20"):
                # Included twice: guards.
                source = os.path.join(folder, f"{compiler}-{standard}.{language}")
                with open(source, "w", encoding="utf-8") as file:
                    file.write(f'#include "{header}"\n#include "{header}"\n')
                common.run(compiler, "-x", language, f"-std={standard}", "-Wconversion", *WARNINGS, "-I", folder, "-fsyntax-only", source)


common.each(alone, common.models(given))

sizes = common.from_text(given, "sizes", "--dim", "n=1..64", "--dim", "batch=1..3")
first = common.generate(given, common.digits(), "two", "--prefix", "first")
common.generate(given, sizes, "two", "--prefix", "second")
objects = [common.build("g++", first, prefix + ".o", "-O1", prefix=prefix) for prefix in ("first", "second")]
source = os.path.join(common.HERE, "two_models.c")
wrapper = os.path.join(common.HERE, "wrapper.cpp")
for number, command in enumerate((
    ("gcc", "-std=c99", *WARNINGS, "-Wconversion", source),
    ("g++", "-x", "c++", "-std=c++17", *WARNINGS, "-Wconversion", source, "-x", "none"),
    ("g++", "-std=c++17", *WARNINGS, "-Wconversion", wrapper),
    ("g++", "-std=c++17", "-fno-exceptions", "-fno-rtti", *WARNINGS, wrapper),
    (common.clang(), "-std=c++20", *WARNINGS, "-Wconversion", wrapper),
)):
    program = os.path.join(first, f"program{number}")
    common.run(*command, "-I", first, *objects, "-o", program)
    common.run(program)
