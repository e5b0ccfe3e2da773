# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from onnx.reference.op_run import OpRun


class Twice(OpRun):
    op_domain = "com.example"

    def _run(self, x):
        return (2 * x,)
