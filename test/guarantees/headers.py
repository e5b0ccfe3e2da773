# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each header compiles by itself and after all standard headers, as C99 to C23 and C++17 to C++23, each wrapper too, whatever a model or a prefix is
called; headers of two models go into one unit of C and of C++, and a program of both models runs (two_models.c, wrapper.cpp)."""
import importlib.util
import os
import shutil

import common
from onnx import TensorProto, helper, save

WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")
STYLE = ("-Wconversion", "-Wshadow", "-Wsign-conversion", "-Wfloat-equal", "-Wundef", "-Wcast-qual")
STYLE_OF_CXX = ("-Wold-style-cast", "-Wzero-as-null-pointer-constant", "-Wnon-virtual-dtor")
given = common.arguments()


# The lists of standard headers are those that reserved names were gathered from.
spec = importlib.util.spec_from_file_location("collect", os.path.join(common.ROOT, "codegen/text/reserved/collect.py"))
collect = importlib.util.module_from_spec(spec)
spec.loader.exec_module(collect)


def syntax(folder, compiler, language, standard, before, names):
    """Units of `names`, each included twice (guards), behind the standard headers `before`."""
    source = os.path.join(folder, f"{compiler}-{standard}-{len(before)}-{names[-1]}.{language}")
    with open(source, "w", encoding="utf-8") as file:
        file.writelines(f"#if __has_include(<{name}>)\n#include <{name}>\n#endif\n" for name in before)
        file.writelines(f'#include "{name}"\n' for name in [*names, *names])
    style = STYLE if language == "c" else STYLE + STYLE_OF_CXX
    common.run(compiler, "-x", language, f"-std={standard}", *style, *WARNINGS, "-I", folder, "-fsyntax-only", source)


def alone(job):
    """By one of the compilers, in turn."""
    number, model = job
    folder = common.generate(given, model, model.name)
    compiler = common.compilers()[number % len(common.compilers())]
    syntax(folder, compiler, "c", "c99", [], ["m.h"])
    for standard in ("c++17", "c++20"):
        syntax(folder, compiler, "c++", standard, [], ["m.h"])
        syntax(folder, compiler, "c++", standard, [], ["m.hpp"])


common.each(alone, list(enumerate(common.models(given))))


def refused(compiler, folder, source):
    """C++14 is told what is missing, in the first line."""
    result = common.subprocess.run([compiler, "-x", "c++", "-std=c++14", "-I", folder, "-fsyntax-only", os.path.join(folder, source)], capture_output=True, text=True)
    said = next((line for line in result.stderr.splitlines() if "error:" in line), "")
    if result.returncode == 0 or "needs C++17" not in said:
        common.fail(f"{compiler} -std=c++14 {source}: {result.stderr or 'no error'}")


for compiler in common.compilers():
    for source in ("m.cpp", "m.hpp"):
        refused(compiler, common.generate(given, common.digits(), "cxx14"), source)


def list_of(file):
    with open(os.path.join(common.ROOT, "codegen/text/reserved", file), encoding="ascii") as text:
        return text.read().split()


def model_of(names):
    """Copies of inputs: what such names do to both structs, as dims too."""
    path = os.path.join(given.work, "names.onnx")
    ends = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, [name, 2]) for name in side] for side in (names, [name + ":" for name in names])]
    nodes = [helper.make_node("Relu", [name], [name + ":"]) for name in names]
    save(helper.make_model(helper.make_graph(nodes, "g", *ends), opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return common.Model("names", path, tuple(flag for name in names for flag in ("--dim", f"{name}=1..4")))


WORDS = "span std main printf index y0 a_ class restrict concept typeof nullptr module import inputs outputs dims arena env status data size run info".split()
PREFIXES = ["std", "main", "printf", "errno", "math", "time", "class", "span", "linux", "EOF", "EINVAL", "timeval", "posix", "sinter"]
# Errors or warnings by themselves: before C11, before C++20, in C++ at all.
EARLY = {"c99": {"threads.h", "stdatomic.h", "stdbit.h", "stdckdint.h"}, "c++17": {"coroutine"}}
NEVER = {"strstream", "stdatomic.h", "threads.h"}


ALL = {"c": ("c99", "c11", "c17", "c2x"), "c++": ("c++17", "c++20", "c++2b")}
ONE = {"c": ("c17",), "c++": ("c++20",)}


def after_headers(folder, models, standards):
    """The headers of these models together."""
    jobs = []
    for compiler in common.compilers()[:2]:
        for language in standards:
            for standard in standards[language]:
                before = [header for header in collect.headers(language) if header not in EARLY.get(standard, ()) and (language == "c" or header not in NEVER)]
                names = [model + (".h" if language == "c" else ".hpp") for model in models]  # the wrapper includes the header
                if standards is ALL:
                    jobs.append((folder, compiler, language, standard, [], names))
                jobs.append((folder, compiler, language, standard, before, names))
    common.each(lambda job: syntax(*job), jobs)


def prefixed(prefix):
    """The name that the prefix gives to files."""
    folder = common.generate(given, common.digits(), "prefix_" + prefix, "--prefix", prefix)
    made = next(name[:-4] for name in os.listdir(folder) if name.endswith(".cpp"))
    common.build("g++", folder, "model.o", "-Werror", "-fsyntax-only", prefix=made)
    for ending in (".h", ".hpp"):
        shutil.copy(os.path.join(folder, made + ending), given.work)
    return made


macros = list_of("macros.txt")
some = [name for name in macros if name.lower() == name or name.endswith(("_MAX", "_MIN")) or len(name) < 5][:400]
named = common.generate(given, model_of(sorted({*some, *WORDS})), "names")
common.build("g++", named, "m.o", "-Wall", "-Werror")
after_headers(named, ["m"], ALL)
after_headers(given.work, common.each(prefixed, PREFIXES), ONE)

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
