# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What com.example.MovingAverage makes, in numpy: `sinter verify` compares the compiled function with this class.
import numpy as np
from onnx.reference.op_run import OpRun


class MovingAverage(OpRun):
    op_domain = "com.example"

    def _run(self, x, gain=None, window=None, stride=None):
        windows = np.lib.stride_tricks.sliding_window_view(x, window, axis=2)[:, :, ::stride]
        y = windows.mean(axis=-1)
        return (y if gain is None else y * gain[:, None],)
