// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of values, in the model: value_info, and sizes of inputs and outputs that are numbers now.
#pragma once

#include "ops/value_facts.h"

#include "onnx-ml.pb.h"

namespace sinter::simplify {

/// How many values have a type and a shape now.
int64_t writeShapes(onnx::GraphProto &graph, const ValueFacts &facts);

} // namespace sinter::simplify
