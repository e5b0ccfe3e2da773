# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The models that operator_speed.py measures: each module here has a function cases().
import importlib
import pkgutil


def all_cases():
    for module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
        if module != "case":
            yield from importlib.import_module(f"{__name__}.{module}").cases()
