# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lit suite: every .mlir and .test file below this folder. RUN lines may use sinter, sinter-opt, sinter-import, sinter-emit, sinter-batch,
# sinter-conformance, FileCheck, not, split-file, and
#   %cxx          the C++ compiler that built Sinter         %python   a Python with the onnx package
#   %to_onnx      `%to_onnx x.txt x.onnx`: ONNX's text form to a model file (tools/to_onnx.py)
#   %boards       targets/boards: start-up code and linker scripts
#   %models       the folder of real models; write `REQUIRES: models`
#   %still        before a command: its processes' heaps begin where their programs end, not at random
#   %sinter_with_example, %example_templates   the compiler with the family of kernels that docs/adding-a-kernel.md adds (examples/kernel), its --templates
# `sinter verify`, `run`, `generate`, `chat` and `bisect` compile without optimization, in half the time, unless the line says -O1 or more: what optimization does to results is a question for
# conformance and the end-to-end tests.
# Other features: nvrtc (there is one that compiles device code); a tool's name where it was built (`sinter`), chromium, zsh, fish, qemu-aarch64, qemu-arm, qemu-riscv64, boards (emulated microcontrollers of Arm),
# riscv-boards (of RISC-V), wasm (Node, and clang with wasm-ld), wasi (programs of WebAssembly with files: verify), wine (with MinGW-w64), zig (the package ziglang).
import os
import shutil
import subprocess

import lit.formats

config.name = "sinter"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

config.environment["PATH"] = os.pathsep.join([config.sinter_bin, config.llvm_bin, os.environ["PATH"]])
config.environment["SINTER_PYTHON"] = config.python
if "SINTER_CACHE" in os.environ:
    config.environment["SINTER_CACHE"] = os.environ["SINTER_CACHE"]
config.substitutions += [
    # By Clang, where it built Sinter: without optimization it takes a sixth of g++'s time for templates of many tiles, with it twice as long.
    (r"(?<![('])\bsinter (verify|run|generate|chat|bisect)\b(?!.* -O[123s])", rf"env CXX={config.cxx} sinter \1 -O0"),
    ("%cxx", config.cxx),
    ("%python", config.python),
    ("%boards", os.path.normpath(os.path.join(config.test_source_root, "../targets/boards"))),
    ("%to_onnx", f"{config.python} {config.test_source_root}/tools/to_onnx.py"),
]

for tool in ["sinter", "sinter-opt", "sinter-import", "sinter-emit", "sinter-batch", "sinter-conformance"]:
    if os.path.exists(os.path.join(config.sinter_bin, tool)):
        config.available_features.add(tool)
sinter = os.path.join(config.sinter_bin, "sinter")
if os.path.exists(sinter):
    said = subprocess.run([sinter, "targets", "cuda-sm_80"], capture_output=True, text=True, check=False).stdout
    if "compiled by NVRTC" in said:
        config.available_features.add("nvrtc")
if os.path.exists(config.example):
    config.available_features.add("sinter-with-example")
    config.substitutions += [("%example_templates", config.example_templates), ("%sinter_with_example", config.example)]
if shutil.which("chromium") or shutil.which("chromium-browser"):
    config.available_features.add("chromium")
for shell in ["zsh", "fish"]:
    if shutil.which(shell):
        config.available_features.add(shell)
if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-g++"):
    config.available_features.add("qemu-aarch64")
if shutil.which("qemu-arm") and shutil.which("arm-linux-gnueabihf-g++"):
    config.available_features.add("qemu-arm")
if shutil.which("qemu-riscv64") and shutil.which("riscv64-linux-gnu-g++"):
    config.available_features.add("qemu-riscv64")
if shutil.which("qemu-system-arm") and shutil.which("arm-none-eabi-g++"):
    config.available_features.add("boards")
if shutil.which("qemu-system-riscv32") and shutil.which("riscv64-unknown-elf-g++"):
    config.available_features.add("riscv-boards")
if shutil.which("node") and shutil.which("clang++-19") and shutil.which("wasm-ld-19"):
    config.available_features.add("wasm")
    if os.path.exists("/usr/include/wasm32-wasi"):
        config.available_features.add("wasi")
if shutil.which("wine") and shutil.which("x86_64-w64-mingw32-g++"):
    config.available_features.add("wine")
    config.environment["WINEPREFIX"] = os.path.join(config.test_exec_root, "wine")
    # Wine needs the page at 0x7ffe0000. Linux puts the heap anywhere in the GiB behind Wine's program, which is at 0x7d000000: once in about 900 starts on that page ("failed to map the
    # shared user data").
    still = ["setarch", "--addr-no-randomize"]
    config.substitutions.append(("%still ", " ".join(still) + " " if shutil.which("setarch") and subprocess.run([*still, "true"], capture_output=True, check=False).returncode == 0 else ""))
ziglang = subprocess.run([config.python, "-c", "import ziglang; print(*ziglang.__path__)"], capture_output=True, text=True, check=False).stdout.strip()
if ziglang:
    config.available_features.add("zig")
    config.substitutions.append(("%zig", ziglang))
models = os.environ.get("SINTER_MODELS") or os.path.join(config.test_source_root, "../../shared/models")
if os.path.isdir(models):
    config.available_features.add("models")
    config.substitutions.append(("%models", os.path.abspath(models)))
