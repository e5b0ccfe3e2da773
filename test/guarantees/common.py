# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checks beside this file share: which models, how they are compiled, with which compilers. Each check is a script that takes
--sinter PROGRAM --cases FOLDER (conformance cases) --work FOLDER [--every N], and fails with the first complaint."""
import argparse
import concurrent.futures
import dataclasses
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Control flow, strings, the small element types, sizes that depend on data, state, quantization; a kernel of each kind.
CASES = """test_if test_loop11 test_scan9_sum test_equal_string test_lstm_with_peepholes test_nonzero_example
test_attention_4d_fp16 test_layer_normalization_4d_axis1 test_cast_FLOAT16_to_FLOAT8E4M3FN test_cast_FLOAT_to_INT4 test_qlinearconv
test_nonmaxsuppression_two_batches test_top_k_uint64 test_unique_sorted_with_axis test_resize_upsample_sizes_cubic test_det_nd
test_div_int8 test_basic_conv_with_padding test_maxpool_2d_pads""".split()
REAL = ["mnist-8/mnist-8.onnx", "mlperf-tiny-kws-dscnn-int8/kws_ref_model.onnx"]

# What no source has.
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Wshadow", "-Wold-style-cast", "-Wsign-conversion", "-Wfloat-equal", "-Werror")


@dataclasses.dataclass
class Model:
    name: str
    path: str
    flags: tuple = ()


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("sinter", "cases", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--every", type=int, default=1, help="take each so manieth model")
    given = parser.parse_args()
    shutil.rmtree(given.work, ignore_errors=True)
    os.makedirs(given.work)
    return given


def fail(text):
    print(text)
    sys.stdout.flush()
    os._exit(1)


def run(*command, **options):
    """The command's output; the whole check fails with it."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if result.returncode != 0:
        fail(f"{' '.join(command)}\nended with status {result.returncode}\n{result.stdout}")
    return result.stdout


def from_text(given, name, *flags):
    """Inputs/NAME.txt, in ONNX's text form."""
    path = os.path.join(given.work, name + ".onnx")
    run(sys.executable, os.path.join(ROOT, "test/tools/to_onnx.py"), os.path.join(HERE, "Inputs", name + ".txt"), path)
    return Model(name, path, flags)


def digits():
    return Model("digits", os.path.join(ROOT, "samples/digits/digits.onnx"))


def models(given):
    """All models, or each so manieth; real ones where there are any."""
    found = [digits(), from_text(given, "sizes", "--dim", "n=1..64", "--dim", "batch=1..3"), from_text(given, "wide", "--threads", "4")]
    for case in CASES:
        path = os.path.join(given.cases, "node", case, "model.onnx")
        if not os.path.exists(path):
            fail(f"no conformance case {path}")
        found.append(Model(case, path))
    folder = os.environ.get("SINTER_MODELS") or os.path.join(ROOT, "../shared/models")
    for path in REAL:
        if os.path.exists(os.path.join(folder, path)):
            found.append(Model(os.path.splitext(os.path.basename(path))[0], os.path.join(folder, path)))
        elif os.environ.get("SINTER_REQUIRE_MODELS"):
            fail(f"no model {path} in {folder}")
    return found[:: given.every]


def generate(given, model, folder, *flags):
    """Sources of the model with the prefix `m` unless flags name another; the folder."""
    folder = os.path.join(given.work, folder)
    run(given.sinter, model.path, "-o", folder + "/", "--prefix", "m", *model.flags, *flags)
    return folder


def compilers():
    """GCC and each Clang here, once each."""
    names = ["g++", "clang++"] + [f"clang++-{version}" for version in range(14, 30)]
    found = {os.path.realpath(shutil.which(name)): name for name in names if shutil.which(name)}
    return list(found.values())


def microcontrollers():
    """Targets of their own kinds of kernels, where there is a compiler for them."""
    return ("cortex-m0plus", "cortex-m4", "cortex-m55") if shutil.which("arm-none-eabi-g++") else ()


def clang():
    """A Clang, whose sanitizers scripts/setup installs."""
    for name in reversed(compilers()):
        if "clang" in name:
            return name
    return "clang++"


def each(function, items):
    """Calls function(item) of all items, as many at a time as there are cores."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def build(compiler, folder, output, *flags, prefix="m"):
    """The object of a model's sources."""
    made = os.path.join(folder, output)
    run(compiler, "-std=c++17", f"@{folder}/{prefix}.flags", "-I", folder, *flags, "-c", f"{folder}/{prefix}.cpp", "-o", made)
    return made
