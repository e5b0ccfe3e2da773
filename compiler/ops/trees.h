// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tree ensembles as the arrays that templates/selection/tree_ensemble.h walks, made from the attributes of ai.onnx.ml's
// operators and checked: children exist, no path is endless.
#pragma once

#include "lowering.h"

namespace sinter {

struct Trees {
  llvm::SmallVector<int32_t> feature, onTrue, onFalse, roots;
  llvm::SmallVector<uint8_t> mode, missing;
  llvm::SmallVector<double> threshold;
  std::vector<llvm::SmallVector<std::pair<int32_t, double>>> leaves; ///< per node: target and weight
  llvm::SmallVector<double> base;                                    ///< per target
  int64_t targets = 0;
  static constexpr uint8_t leafMode = 6;

  int32_t add(uint8_t nodeMode);
};

/// The arrays of TreeEnsembleClassifier ("class") and TreeEnsembleRegressor ("target").
mlir::FailureOr<Trees> treesOf(Op &op, llvm::StringRef kind, int64_t targets);
/// Reals of an attribute of floats or of its "_as_tensor" twin.
llvm::SmallVector<double> realsOf(const Op &op, llvm::StringRef name);
/// The kernel's call; x [n, features], `aggregate` is SUM, AVERAGE, MIN or MAX. Checks the trees first.
mlir::FailureOr<Tensor> evaluateTrees(Op &op, Tensor x, const Trees &trees, llvm::StringRef aggregate,
                                      ElementType result);

} // namespace sinter
