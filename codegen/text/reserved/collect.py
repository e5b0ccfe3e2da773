#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# collect.py: writes macros.txt and globals.txt beside it, the names that C and POSIX headers take, sorted. names.cpp keeps clear of them, since a header
# of the user may come before ours. What is there stays: a system without some header, or with an older one, takes no name back.
#   macros.txt   macros without parameters of any standard header, in any standard of C and C++, strict and with extensions, and of headers of libraries
#                that our own sources may include: no name may be one.
#                (One with parameters only matters before a parenthesis, where none of our names of tensors stands.)
#   globals.txt  functions, types, variables and constants that these headers declare, and the headers themselves, which a file of that name would
#                hide: a prefix, which becomes a namespace and a file, may be none.
# Asks every compiler that is there: GCC, Clang (which also lists declarations), cross compilers with their C libraries.
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
C = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdint
stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype""".split()
POSIX = """aio arpa/inet cpio devctl dirent dlfcn endian fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen libintl monetary mqueue ndbm net/if netdb
netinet/in netinet/tcp nl_types poll pthread pwd regex sched search semaphore spawn strings stropts sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem
sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios trace ulimit unistd utime utmpx
wordexp""".split()
CXX = """algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts condition_variable coroutine deque exception execution
expected filesystem format forward_list fstream functional future generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits list
locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex scoped_allocator semaphore set
shared_mutex source_location span spanstream sstream stack stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream syncstream
system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version""".split()
# Of libraries that sources of some models include (templates/images), where they are installed.
LIBRARIES = ["jpeglib", "png", "tiffio", "webp/decode", "openjpeg", "openjpeg-2.5/openjpeg"]
FEATURES = ([], ["-D_GNU_SOURCE"], ["-D_POSIX_C_SOURCE=200809L", "-D_XOPEN_SOURCE=700"])
COMPILERS = ["gcc", "clang", "clang-19", "arm-none-eabi-gcc", "aarch64-linux-gnu-gcc"]
STANDARDS = {"c": ["c99", "gnu99", "c11", "c17", "c2x", "gnu2x"], "c++": ["c++17", "gnu++17", "c++20", "c++2b", "gnu++2b"]}


def headers(language):
    return [name + ".h" for name in C + POSIX + LIBRARIES] + (CXX if language == "c++" else [])


def output(compiler, language, standard, flags):
    """All headers that are there in one unit; what a standard has not yet is an error that the rest of the output does not mind."""
    unit = "".join(f"#if __has_include(<{name}>)\n#include <{name}>\n#endif\n" for name in headers(language))
    command = [compiler, "-x", language, f"-std={standard}", *flags, "-w", "-"]
    return subprocess.run(command, input=unit, capture_output=True, text=True, check=False).stdout


def macros(compiler):
    for language, standards in STANDARDS.items():
        for standard in standards:
            for features in FEATURES:
                text = output(compiler, language, standard, ["-E", "-dM", *features])
                yield from re.findall(r"^#define (\w+)(?!\()(?:\s|$)", text, re.MULTILINE)


def declarations(compiler):
    """Names at the outermost level of Clang's syntax tree; enumerators stand one level below."""
    for features in FEATURES:
        for line in output(compiler, "c", "c2x", ["-fsyntax-only", "-ferror-limit=0", "-Xclang", "-ast-dump", *features]).splitlines():
            match = re.match(r"[|`]-(?:Function|Typedef|Var|Record)Decl .*? (\w+)(?: '| definition|$)", line)
            match = match or re.match(r"[| ] [|`]-EnumConstantDecl .*? (\w+) '", line)
            if match:
                yield match[1]


def reserved_anyway(name):
    return name.startswith("__") or re.match("_[A-Z]", name)


def merge(name, found):
    path = os.path.join(HERE, name)
    old = open(path, encoding="ascii").read().split() if os.path.exists(path) else []
    words = sorted({word for word in [*old, *found] if re.fullmatch("[A-Za-z_][A-Za-z_0-9]*", word) and not reserved_anyway(word)})
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(words) + "\n")
    print(f"{name}: {len(words)} names, {len(set(words) - set(old))} of them new")


def main():
    found = [compiler for compiler in COMPILERS if shutil.which(compiler)]
    print("asking", *found)
    merge("macros.txt", {name for compiler in found for name in macros(compiler)})
    declared = {name for compiler in found if compiler.startswith("clang") for name in declarations(compiler)}
    files = {name for name in C + POSIX + LIBRARIES if "/" not in name}
    merge("globals.txt", declared | files | {"std", "posix", "main"})


if __name__ == "__main__":
    main()
