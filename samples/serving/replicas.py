# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same behind Ray Serve, with requests gathered to one call: `SINTER_MODEL=net.onnx serve run replicas:app`. The model's first dim, `batch`, may be 1 to 16."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import sinter
from ray import serve
from starlette.responses import JSONResponse

ROWS = 16  # of a call


@serve.deployment(num_replicas=2, max_ongoing_requests=2 * ROWS)
class Net:
    def __init__(self, path: str) -> None:
        self.model = sinter.compile(path, dims={"batch": (1, ROWS)})
        (self.input,) = self.model.inputs

    @serve.batch(max_batch_size=ROWS, batch_wait_timeout_s=0.002)
    async def gathered(self, rows: list[Any]) -> list[list[Any]]:
        made = self.model.run({self.input.name: rows})
        numbers = next(iter(made.values()))
        return np.where(np.isfinite(numbers), numbers, None).tolist()  # what is no number is null in JSON

    async def __call__(self, request: Any) -> Any:
        # What does not fit is this request's fault: it never comes among the rows of others.
        try:
            row = np.asarray(await request.json(), self.input.dtype)
        except (ValueError, TypeError) as error:
            return JSONResponse({"detail": str(error)}, 422)
        if row.shape != self.input.shape[1:]:
            return JSONResponse({"detail": f"a row of '{self.input.name}' has the shape {self.input.shape[1:]}, not {row.shape}"}, 422)
        return await self.gathered(row)


app = Net.bind(os.environ["SINTER_MODEL"])
