// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What quantization knows of operators: which multiply, which only move values, which work element by element.
#pragma once

#include "quantize/graph_edit.h"

namespace sinter::quantize {

enum class Kind {
  None,        ///< stays float
  Contraction, ///< multiplies by weights (or two values): where the time goes
  Move,        ///< its outputs' elements are its inputs': one scale
  Average,     ///< a scale of its own, worth integers behind any contraction
  Elementwise, ///< worth integers between contractions
};

Kind kindOf(const onnx::NodeProto &node);

/// How many of the first inputs hold data (the rest: axes, shapes, bounds, ...).
int dataInputs(const onnx::NodeProto &node);

/// Relu, Clip: nothing but the end of a range, so that the value before needs no scale.
bool isClamp(const onnx::NodeProto &node);

} // namespace sinter::quantize
