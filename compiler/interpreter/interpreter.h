// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs tensor IR on the host: conversion folds with it, weights are written through it, tests use it as an oracle.
// Values are found lazily from their backward slice (evaluate.cpp) or op by op (run.cpp); what each op does is in the
// files named after the dialects.
#pragma once

#include "host_tensor.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <optional>
#include <vector>

namespace mlir::func {
class FuncOp;
}

namespace sinter {

/// Limits, so that a small hostile model does not make a large compiler. Above them evaluate() answers nothing, and
/// asks no memory first.
struct EvaluationBudget {
  int64_t tensorBytes = int64_t(256) << 20;
  int64_t totalBytes = int64_t(512) << 20; ///< owned by live results; views of weights are free
  int64_t points = int64_t(1) << 28;       ///< scalar operations, roughly
};

/// Results kept between calls. Holds small results and views only, never large copies. Keyed by Value: what is about to
/// be erased must be forgotten.
class EvaluationCache {
public:
  void forget(mlir::Operation *op) {
    op->walk([&](mlir::Operation *nested) {
      for (mlir::Value result : nested->getResults()) {
        constant.erase(result);
        values.erase(result);
      }
    });
  }
  void clear() {
    constant.clear();
    values.clear();
  }
  llvm::DenseMap<mlir::Value, bool> constant;
  llvm::DenseMap<mlir::Value, std::optional<HostTensor>> values;
  std::shared_ptr<int64_t> liveBytes = std::make_shared<int64_t>(0);
};

/// True if the interpreter knows the op and all ops in its regions, and none of them asks for run-time data.
bool isInterpretable(mlir::Operation *op);
/// True if the backward slice of `value` has only constants and weights as leaves, and the interpreter knows its ops.
bool isConstant(mlir::Value value, EvaluationCache &cache);

/// Why a value has no contents: it depends on run-time data or on an op that cannot be interpreted; it costs more than
/// the budget; an index, a size or a condition of the model is wrong, and generated code would end with a status.
enum class NoValue { Unknown, OverBudget, Refused };

/// The contents of a tensor or scalar, or nothing, and then `why`.
std::optional<HostTensor> evaluate(mlir::Value value, EvaluationCache &cache, const EvaluationBudget &budget = {},
                                   NoValue *why = nullptr);
/// An index or integer scalar (i1: 0 or 1).
std::optional<int64_t> evaluateIndex(mlir::Value value, EvaluationCache &cache);

/// `failedAt` is the op that could not be run. The outputs of a whole function, by sinter.output's (or the return's)
/// index, on inputs by sinter.input's (or the argument's) index.
std::optional<std::vector<HostTensor>> run(mlir::func::FuncOp main, llvm::ArrayRef<HostTensor> inputs,
                                           const llvm::StringMap<int64_t> &dims = {},
                                           const EvaluationBudget &budget = {}, mlir::Operation **failedAt = nullptr);

/// A splat or small (<= 1 KiB) tensor as DenseElementsAttr, a larger one as a resource over its bytes. `type` has the
/// tensor's shape.
mlir::Attribute toAttribute(const HostTensor &tensor, mlir::RankedTensorType type);
/// The elements of an attribute, without a copy where the attribute holds them as the interpreter does. `elementType`
/// is the type to hold them in: packed 2- and 4-bit elements become bytes.
std::optional<HostTensor> fromAttribute(mlir::Attribute attribute, mlir::Type elementType);

} // namespace sinter
