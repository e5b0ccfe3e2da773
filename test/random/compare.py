# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Whether two programs' outputs may both be right. First by a few roundings; what is further apart is held against what jitter makes of the
# same model, computed only then.
import numpy as np
from jitter import difference, spread
from oracles import NoAnswer
from widen import BFLOAT16

FACTOR, INTEGER_FACTOR = 4, 1.5  # times what jitter shows: a step stays a step
ROUNDINGS = {"f": 2.0**-20, "d": 2.0**-48, "e": 2.0**-9}
# A model with a tensor of more elements is a large one. Its sums have more terms, and of its many elements some are rounded to the other
# side by no sample of jitter: what is allowed is what jitter shows anywhere in the tensor.
FEW_ELEMENTS, SAMPLES_OF_LARGE = 4096, 12


def rounding(dtype):
    """Of a tensor's largest value: a few roundings of its type."""
    return 2.0**-6 if dtype == BFLOAT16 else ROUNDINGS.get(dtype.char, 0.0)


def read(path, dtype):
    """An output as sinter-batch writes it, as the type that is expected."""
    value = np.load(path)
    if value.dtype.kind == "U":
        return value.astype(object)
    return value.view(dtype) if value.dtype.kind == "V" else value


class Judge:
    """Compares with one oracle's outputs of one call."""

    def __init__(self, model, inputs, expected):
        self.model, self.inputs, self.expected = model, inputs, expected
        self.spreads = None
        most = max([value.size for value in [*inputs, *expected]] + [int(np.prod(init.dims)) for init in model.graph.initializer], default=0)
        self.is_large = most > FEW_ELEMENTS
        self.terms = 2 * np.sqrt(most / FEW_ELEMENTS) if self.is_large else 1

    def differs(self, actual):
        """The index of an output that differs and how, or None."""
        if len(actual) != len(self.expected):
            return 0, f"{len(actual)} outputs instead of {len(self.expected)}"
        for i, (a, b) in enumerate(zip(actual, self.expected)):
            why = self.output(i, a, b)
            if why:
                return i, why
        return None

    def output(self, i, a, b):
        if a.dtype != b.dtype and a.dtype.kind != "O" and b.dtype.kind != "U":
            return f"{a.dtype} instead of {b.dtype}"
        if a.shape == b.shape and b.dtype.kind in "OU":
            return None if np.array_equal(a.astype(str), b.astype(str)) else "strings differ"
        if a.shape == b.shape:
            apart, kinds = difference(a, b)
            finite = np.abs(b[np.isfinite(b.astype(np.float64))].astype(np.float64)) if b.size and b.dtype.kind not in "c" else np.zeros(0)
            most = rounding(b.dtype) * self.terms * (finite.max() if finite.size else 0)
            wrong = (apart > most) | kinds
            if not wrong.any():
                return None
            spreads, others = self.jitter()
            if spreads is not None and spreads[i] is not None:
                factor = INTEGER_FACTOR if b.dtype.kind in "iub" else FACTOR
                near = spreads[i].max() if self.is_large else spreads[i]
                wrong = (apart > most + factor * near) | (kinds & ~others[i])
                if not wrong.any():
                    return None
            place = tuple(int(n) for n in np.argwhere(wrong)[0])
            return f"{int(wrong.sum())} of {wrong.size} elements differ, first {list(place)}: {a[place]} instead of {b[place]}"
        spreads, _ = self.jitter()
        if spreads is not None and spreads[i] is None:
            return None  # its size hangs on a rounding
        return f"shape {list(a.shape)} instead of {list(b.shape)}"

    def jitter(self):
        if self.spreads is None:
            try:
                self.spreads = spread(self.model, self.inputs, self.expected, *([SAMPLES_OF_LARGE] if self.is_large else []))
            except NoAnswer:
                self.spreads = (None, None)
        return self.spreads
