#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# imports.py FILE...: imports every module that these scripts import, and what the functions that they name import when they are called. A .test file
# counts with the scripts that it splits off. environment.py runs it in an environment made from nothing.
import ast
import importlib
import inspect
import os
import re
import sys
import textwrap
import types


def sources(path):
    """A script, or the scripts in a lit test."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not path.endswith(".test"):
        return [(path, text)]
    parts = re.split(r"^(?:#|//)--- (\S+)\n", text, flags=re.MULTILINE)
    return [(f"{path} ({name})", part) for name, part in zip(parts[1::2], parts[2::2]) if name.endswith(".py")]


def optional(node):
    """A try that goes on without what is missing."""
    return isinstance(node, ast.Try) and not any(isinstance(inner, (ast.Raise, ast.Call)) for handler in node.handlers for inner in ast.walk(handler))


def imports(tree, package=None):
    """(module, level, name or None, bound name), wherever they stand; of other packages than this one, not what stands under a condition."""
    for node in ast.iter_child_nodes(tree):
        if optional(node):
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, 0, None, alias.asname or alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.module or "", node.level, alias.name, alias.asname or alias.name
        elif isinstance(node, ast.If) and package:
            yield from (found for found in imports(node, package) if found[1] or found[0].split(".")[0] == package)
        else:
            yield from imports(node, package)


def load(module, level, name, package):
    made = importlib.import_module("." * level + module, package)
    if name is None or name == "*":
        return made
    return getattr(made, name) if hasattr(made, name) else importlib.import_module(f"{made.__name__}.{name}")


def chains(tree):
    """Dotted names that the script uses: a.b.c as ("a", "b", "c")."""
    for node in ast.walk(tree):
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            yield (node.id, *reversed(parts))


def inside(function):
    """What a function of Python imports in its body."""
    if not isinstance(function, types.FunctionType):
        return []
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return []
    return list(imports(tree, function.__module__.split(".")[0]))


def check(path, text, own, done):
    tree = ast.parse(text)
    bound = {}
    for module, level, name, binding in imports(tree):
        if module.split(".")[0] in own:
            continue
        made = load(module, level, name, None)
        # `import a.b` binds a, `import a.b as c` binds a.b
        bound[binding] = sys.modules[binding] if name is None and module.startswith(binding + ".") else made
    for chain in chains(tree):
        value = bound.get(chain[0])
        for part in chain[1:]:
            value = getattr(value, part, None)
        if value is None or id(value) in done:
            continue
        done.add(id(value))
        for module, level, name, _ in inside(value):
            load(module, level, name, sys.modules[value.__module__].__package__)
    return set(bound)


def main():
    files = [source for path in sys.argv[1:] for source in sources(path)]
    own = {os.path.splitext(os.path.basename(path.split(" (")[-1].rstrip(")")))[0] for path, _ in files}
    # A script finds the modules and packages that lie beside it.
    for folder in {os.path.dirname(os.path.abspath(path)) for path in sys.argv[1:]}:
        own |= {os.path.splitext(name)[0] for name in os.listdir(folder)
                if name.endswith(".py") or os.path.exists(os.path.join(folder, name, "__init__.py"))}  # fmt: skip
    bad, done, used = 0, set(), set()
    for path, text in files:
        try:
            used |= check(path, text, own, done)
        except ImportError as error:
            print(f"{path}: {error}")
            bad += 1
    print(f"{len(files)} scripts, {len(used)} names imported, {len(done)} values looked into, {bad} scripts fail")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
