// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a function that stands in the model, as the graph that it means.
#pragma once

#include "onnx-ml.pb.h"

#include <optional>

namespace sinter {

/// The function's nodes, with the call's attributes where they are referred to. Inputs and outputs have the function's
/// names and no types, and those that the call leaves out are none. None where `node` calls no function of `model`.
std::optional<onnx::ModelProto> graphOfCall(const onnx::ModelProto &model, const onnx::NodeProto &node);

} // namespace sinter
