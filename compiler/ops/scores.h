// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the models of ai.onnx.ml share: numbers of attributes as constants, what becomes of scores, labels.
#pragma once

#include "lists.h"

namespace sinter {

/// Float constants of this shape.
Tensor floatConstant(const Op &op, llvm::ArrayRef<double> values, llvm::ArrayRef<int64_t> shape);
/// One value per feature, or one for all: broadcasts along the last dim.
Tensor perFeature(const Op &op, llvm::ArrayRef<double> values);
/// The attribute post_transform, row by row: scores [n, classes].
mlir::FailureOr<Tensor> postTransformed(Op &op, Tensor scores, llvm::StringRef how);
/// Of each row of scores [n, classes] the label of the largest, the first of equal ones.
mlir::FailureOr<Tensor> labelOfLargest(Op &op, Tensor scores, const List &labels);
/// Of two classes the label of the second where its score [n, 1] is above `threshold`: [n].
Tensor labelOfTwo(const Op &op, Tensor second, double threshold, const List &labels);
/// How the score of the first of two classes follows from that of the second: they sum to 1, are opposite, or are
/// behind a sigmoid.
enum class TwoScores { Complement, Opposite, Logistic };
/// [n, 2] of the second's scores [n, 1].
Tensor scoresOfTwo(const Op &op, Tensor second, TwoScores how);

} // namespace sinter
