# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated code compiles without warnings, -Wall -Wextra -Wconversion -pedantic and those of style, by GCC and each Clang here and compilers for other
machines, at the usual level of optimization, and by one of them, in turn, at another one. Every global symbol that its objects define carries the prefix and none is weak; undefined ones are memcpy,
memmove, memset, memcmp and what the compiler's own library (libgcc) has."""
import common

OTHERS = (("-O0", "-fPIC"), ("-Os",), ("-O3",))
LIBC = {"memcpy", "memmove", "memset", "memcmp", "_GLOBAL_OFFSET_TABLE_"}
# What distributions' compilers add on their own to catch overruns of buffers.
PLAIN = ("-fno-stack-protector", "-U_FORTIFY_SOURCE")


def symbols(tool, path):
    """(type letter, name) of each symbol of an object or archive."""
    for line in common.run(tool, path).splitlines():
        fields = line.split()
        if len(fields) >= 2 and len(fields[-2]) == 1:
            yield fields[-2], fields[-1]


def helpers(target, compiler, tool):
    flags = () if target == "host" else common.run(given.sinter, "targets", target).split("\nflags ")[1].split("\n")[0].split()
    library = common.run(compiler, *flags, "-print-libgcc-file-name").strip()
    return {name for letter, name in symbols(tool, library) if letter in "TDRBVW"}


def complaints(path, tool, allowed):
    for letter, name in symbols(tool, path):
        if letter == "U" and name not in LIBC and name not in allowed:
            yield f"undefined: {name}"
        elif letter in "WwVvu":
            yield f"weak: {name}"
        elif letter.isupper() and letter != "U" and not name.startswith("m_"):
            yield f"without the prefix: {name}"


given = common.arguments()
toolchains = [("host", name, "nm") for name in common.compilers()]
if common.shutil.which("aarch64-linux-gnu-g++"):
    toolchains.append(("aarch64", "aarch64-linux-gnu-g++", "aarch64-linux-gnu-nm"))
toolchains += [(target, "arm-none-eabi-g++", "arm-none-eabi-nm") for target in common.microcontrollers()]
allowed = {(target, compiler): helpers(target, "g++" if target == "host" else compiler, tool) for target, compiler, tool in toolchains}


def check(job):
    number, model, (target, compiler, tool) = job
    folder = common.generate(given, model, f"{model.name}-{target}-{compiler}", "--target", target)
    usual = ("-O2", "-ffreestanding") if target in common.microcontrollers() else ("-O2",)
    levels = [usual]
    if toolchains[number % len(toolchains)] == (target, compiler, tool):
        levels.append(OTHERS[number // len(toolchains) % len(OTHERS)])
    for flags in levels:
        made = common.build(compiler, folder, "m.o", *flags, *common.WARNINGS, *PLAIN)
        found = list(complaints(made, tool, allowed[target, compiler]))
        if found:
            common.fail(f"{model.name}, {compiler} {' '.join(flags)}:\n" + "\n".join(found))


common.each(check, [(number, model, toolchain) for number, model in enumerate(common.models(given)) for toolchain in toolchains])
