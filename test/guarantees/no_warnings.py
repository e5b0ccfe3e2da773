# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated code has no warnings: -Wall -Wextra -Wconversion -pedantic and those of style, GCC and each Clang here, at the usual level of optimization
and, in turn, another one."""
import common

OTHERS = ("-O0", "-Os", "-O3")

given = common.arguments()
jobs = []
for number, model in enumerate(common.models(given)):
    levels = ("-O2", OTHERS[number % len(OTHERS)])
    folder = common.generate(given, model, model.name)
    jobs += [(folder, compiler, level) for compiler in common.compilers() for level in levels]
    if common.shutil.which("aarch64-linux-gnu-g++"):
        folder = common.generate(given, model, model.name + "-aarch64", "--target", "aarch64")
        jobs += [(folder, "aarch64-linux-gnu-g++", level) for level in levels]
    for target in common.microcontrollers():
        folder = common.generate(given, model, f"{model.name}-{target}", "--target", target)
        jobs += [(folder, "arm-none-eabi-g++", level) for level in levels]
common.each(lambda job: common.build(job[1], job[0], f"{job[1]}{job[2]}.o", job[2], *common.WARNINGS), jobs)
