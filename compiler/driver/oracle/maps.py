# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of maps onnxruntime's Python interface takes those to floats that are not empty. The operators that read others, in Python: custom_ops.Parts runs them,
# and leaves the rest to onnxruntime. ONNX's evaluator does not have one of them, and of the other another shape.
import numpy as np
from onnx.reference.op_run import OpRun


class DictVectorizer(OpRun):
    op_domain = "ai.onnx.ml"

    def _run(self, x, int64_vocabulary=None, string_vocabulary=None):
        words = next(words for words in (int64_vocabulary, string_vocabulary) if words)
        return (np.array([[x.get(word, x.dtype.type() if x.dtype != object else "") for word in words]], x.dtype),)


class CastMap(OpRun):
    op_domain = "ai.onnx.ml"

    def _run(self, x, cast_to="TO_FLOAT", map_form="DENSE", max_map=1):
        if map_form == "SPARSE" and any(key < 0 for key in x):
            raise ValueError("a key is negative")
        real = np.float64 if x.dtype == np.float64 else np.float32  # widened: exact.py
        made, default, dtype = {"TO_FLOAT": (float, 0.0, real), "TO_INT64": (whole, 0, np.int64), "TO_STRING": (text, "0.f", object)}[cast_to]
        values = [made(x[key]) for key in sorted(x)] if map_form == "DENSE" else [made(x[key]) if key in x else default for key in range(max_map)]
        return (np.array([values], dtype),)


def whole(value):
    return int(float(value))


def text(value):
    return value if isinstance(value, str) else f"{value:f}"


READERS = {(each.op_domain, each.__name__): each for each in (DictVectorizer, CastMap)}


def needs_readers(parts, counts):
    """Whether there is a map that onnxruntime does not take. `counts`: what its arrays "count" hold."""
    return any(part["part"] == "values" and part["type"] != "float" for part in parts) or (any(part["part"] == "keys" for part in parts) and 0 in counts)
