// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a model that are models: two at a cut, or the nodes between some values and others.
#pragma once

#include "simplify/learn.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include "diagnostics/diagnostics.h"

namespace sinter::simplify {

struct Split {
  onnx::ModelProto first, second;
  std::vector<std::string> crossing; ///< tensors that the second reads of the first, besides those that were named
};

/// Whether a cut may be at these tensors; what is wrong is reported.
bool canCutAt(const onnx::ModelProto &model, llvm::ArrayRef<std::string> tensors, Diagnostics &diagnostics);

/// The first part is all that the tensors are made of. None after a report.
std::optional<Split> splitAt(const onnx::ModelProto &model, llvm::ArrayRef<std::string> tensors,
                             const ValueFacts &facts, Diagnostics &diagnostics);

/// The nodes of the main graph for which `isKept` says so, as a model: what they read of others are inputs, and what
/// others or the model's outputs read of them are outputs. Values whose type nobody knows are none of an input's:
/// reported.
std::optional<onnx::ModelProto> partOf(const onnx::ModelProto &model, llvm::function_ref<bool(int)> isKept,
                                       const ValueFacts &facts, Diagnostics &diagnostics);

} // namespace sinter::simplify
