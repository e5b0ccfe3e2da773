// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first question of a decoder (decoder.h): which graph output goes on from which graph input.
#pragma once

#include "graph/decoder.h"
#include "ir/dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sinter {

/// An input or output of @main, as the file states it.
struct DecoderTensor {
  std::string name;
  mlir::Type element;
  bool hasShape = false;
  std::vector<int64_t> sizes;       ///< -1: a symbol
  std::vector<std::string> symbols; ///< empty: a number
};

DecoderTensor decoderInput(mlir::func::FuncOp main, unsigned index);
DecoderTensor decoderOutput(mlir::func::FuncOp main, unsigned index);

/// How much two names begin and end alike: what distinguishes layers lies in between.
size_t likeness(llvm::StringRef a, llvm::StringRef b);

/// Whether a tensor can go where another one is taken: type and rank are the same, and no size that is known
/// contradicts.
bool fits(const DecoderTensor &input, const DecoderTensor &output);

/// Whether it is an argument that the graph only passes through: an output that is goes on from nothing.
bool isPassedOn(mlir::Value value, mlir::Value argument);

/// Each output that an input's rows go into, with that input.
std::vector<DecoderCache> findCaches(mlir::func::FuncOp main);

} // namespace sinter
