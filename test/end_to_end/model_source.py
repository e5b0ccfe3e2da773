# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where a model of models.toml or quantized.toml comes from: a file in the folder of real models, one that the test end_to_end/exports made, or a
# function of the project's own (`made = "module.function"`, the module beside this file). Own nets are always there; without a file a test is skipped,
# unless SINTER_REQUIRE_MODELS is set.
import importlib
import os
import sys

import onnx

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.environ.get("SINTER_MODELS") or os.path.join(HERE, "../../../shared/models")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(1 if os.environ.get("SINTER_REQUIRE_MODELS") else 77)


def file_of(spec, models, exports=None):
    """The file; None for a net of the project's own."""
    if "made" in spec:
        return None
    return os.path.join(exports if spec.get("exported") else models, spec["path"])


def load(spec, models, exports=None):
    """The model, and the file that it depends on: it, or the module that makes it."""
    path = file_of(spec, models, exports)
    if path is None:
        module, function = spec["made"].split(".")
        maker = importlib.import_module(module)
        return getattr(maker, function)(), maker.__file__
    if not os.path.exists(path):
        skip(f"{path} is not there" + ("; the test end_to_end/exports makes it" if spec.get("exported") else ""))
    return onnx.load(path), path
