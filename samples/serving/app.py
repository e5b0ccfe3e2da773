# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled model behind HTTP, by FastAPI: `SINTER_MODEL=digits.onnx uvicorn app:app`. The model is compiled once, when the process starts, and taken from
the cache afterwards. A function that is no coroutine runs in a thread of FastAPI's, and calls of one model in several threads run side by side."""

from __future__ import annotations

import os
from typing import Any

import sinter
from fastapi import FastAPI, HTTPException

model = sinter.compile(os.environ["SINTER_MODEL"])
app = FastAPI(title="A compiled net")


@app.get("/")
def describe() -> dict[str, list[str]]:
    return {"inputs": [f"{tensor.name}: {tensor}" for tensor in model.inputs], "outputs": [f"{tensor.name}: {tensor}" for tensor in model.outputs]}


@app.post("/run")
def run(arrays: dict[str, Any]) -> dict[str, Any]:
    """Arrays as nested lists, by the name of the input."""
    try:
        made = model.run(arrays)
    except sinter.SinterError as error:
        raise HTTPException(422, str(error)) from error
    return {name: array.tolist() for name, array in made.items()}
