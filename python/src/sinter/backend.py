# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interface of onnx.backend.base, by which onnx's own tests and other tools run models. Needs the package onnx: `pip install sinter[onnx]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.backend.base import Backend, BackendRep, namedtupledict

from ._arrays import as_array
from .errors import InputError
from .onnxruntime import InferenceSession


class SinterRep(BackendRep):
    """A model that is prepared."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The outputs, by place and by name. Inputs by place or by name, or the only one."""
        names = [arg.name for arg in self._session.get_inputs()]
        if isinstance(inputs, Mapping):
            feeds = dict(inputs)
        else:
            arrays = inputs if isinstance(inputs, (list, tuple)) else [inputs]
            if len(arrays) > len(names):
                raise InputError(f"{len(arrays)} inputs were given; there are {', '.join(map(repr, names))}")
            feeds = dict(zip(names, arrays, strict=False))
        outputs = self._session.run(None, feeds)
        made: tuple[Any, ...] = namedtupledict("Outputs", [arg.name for arg in self._session.get_outputs()])(*outputs)
        return made


class SinterBackend(Backend):
    """Compiles models and calls them."""

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> SinterRep:
        """Compiles a model. `kwargs` are the options of sinter.compile()."""
        if not cls.supports_device(device):
            raise InputError(f"calls run on the CPU, not on '{device}'")
        return SinterRep(InferenceSession(model, **kwargs))

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[Any, ...]:
        """Compiles a model and calls it once."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[tuple[np.dtype[Any], tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """A model of one node, called once. `opset_version` is that of the node's domain; other `kwargs` are options."""
        names = [name for name in node.input if name]
        arrays = [as_array(inputs[name] if isinstance(inputs, Mapping) else array, name) for name, array in zip(names, inputs, strict=True)]
        given = [
            onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
            for name, array in zip(names, arrays, strict=True)
        ]
        wanted = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        version = kwargs.pop("opset_version", None) or onnx.defs.onnx_opset_version()
        opset = onnx.helper.make_opsetid(node.domain, version)
        model = onnx.helper.make_model(onnx.helper.make_graph([node], "node", given, wanted), opset_imports=[opset])
        return cls.run_model(model, dict(zip(names, arrays, strict=True)), device, **kwargs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """The CPU."""
        return device.split(":")[0] == "CPU"


is_compatible = SinterBackend.is_compatible
prepare = SinterBackend.prepare
run_model = SinterBackend.run_model
run_node = SinterBackend.run_node
supports_device = SinterBackend.supports_device
