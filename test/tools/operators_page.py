#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""operators_page.py OPS.json [--write | --check docs/operators.md]: the page of all operators that `sinter ops --json` lists: versions, what becomes of
them, and the types that inputs and outputs of the newest one may have. --check: whether the file says the same."""
import argparse
import json
import sys

HEAD = """# Operators
Made from the compiler's registrations (`sinter ops --json > ops.json; test/tools/operators_page.py ops.json --write docs/operators.md`); a test holds it to them. `sinter ops NAME`
prints one operator with its parameters, and what shapes and attributes have to fit. Numbers are the opsets since which a version holds; types are those of the newest one, inputs and outputs
of one list together. *floats*: float16, bfloat16, float, double. *8-bit floats*: the four of ONNX. *integers*: int8 to int64, uint8 to uint64. *small integers*: int2, int4, uint2, uint4.
"""
GROUPS = {
    "floats": ("float16", "bfloat16", "float", "double"),
    "8-bit floats": ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"),
    "integers": ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    "small integers": ("int2", "int4", "uint2", "uint4"),
    "complex": ("complex64", "complex128"),
}


def grouped(types):
    """Names of tensors' elements, whole groups by theirs; sequences, maps and optionals by what they are."""
    bare = list(dict.fromkeys(type[7:-1] if type.startswith("tensor(") else type.split("(")[0] for type in types))
    words = []
    for group, members in GROUPS.items():
        if all(member in bare for member in members):
            words.append(group)
            bare = [type for type in bare if type not in members]
    return ", ".join(words + bare)


def types_of(version):
    """Parameters of the same types together: "X, Y: floats"."""
    by_types = {}
    for parameter in version["inputs"] + version["outputs"]:
        names = by_types.setdefault(grouped(parameter["types"]), [])
        if parameter["name"] not in names:
            names.append(parameter["name"])
    return "; ".join(f"{', '.join(names)}: {types}" for types, names in by_types.items())


def versions_of(operator):
    by_support = {}
    for version in operator["versions"]:
        by_support.setdefault(version["support"], []).append(str(version["since"]))
    return "; ".join((f"{support}: " if support != "lowered" else "") + ", ".join(since) for support, since in by_support.items())


def page(operators):
    text, domain = HEAD, None
    for operator in operators:
        if operator["domain"] != domain:
            domain = operator["domain"]
            text += f"\n## {domain}\n| operator | since | types |\n|---|---|---|\n"
        text += f"| {operator['name']} | {versions_of(operator)} | {types_of(operator['versions'][-1])} |\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ops")
    parser.add_argument("--write")
    parser.add_argument("--check")
    options = parser.parse_args()
    with open(options.ops, encoding="utf-8") as file:
        text = page(json.load(file)["operators"])
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(text)
    elif options.check:
        with open(options.check, encoding="utf-8") as file:
            if file.read() != text:
                sys.exit(f"{options.check} is not what `sinter ops --json` says: write it again by {sys.argv[0]} --write {options.check}")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
