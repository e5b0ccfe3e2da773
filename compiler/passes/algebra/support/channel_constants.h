// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which channels of a group hold one number, and which: what a contraction with weights that are all zero makes,
// carried through elementwise ops, depthwise convolutions and pools by the interpreter.
#pragma once

#include "channel_group.h"

#include "llvm/ADT/BitVector.h"

namespace sinter {

/// Elements of a constant tensor, of which some along a dim are kept.
HostTensor keptElements(const HostTensor &tensor, int64_t dim, llvm::ArrayRef<int64_t> kept);
mlir::Value constantOf(mlir::OpBuilder &b, mlir::Location loc, const HostTensor &tensor, mlir::Type elementType);

/// Weights of a contraction as numbers less their zero point.
class WeightNumbers {
public:
  WeightNumbers(mlir::Operation *contraction, const ContractionWeights &weights, EvaluationCache &cache);
  explicit operator bool() const { return tensor.has_value(); }
  bool isZero(int64_t dim, int64_t index) const; ///< all weights with that index in that dim
  /// The sum over all but the dims of the two indices.
  int64_t sum(int64_t out, int64_t in) const;

private:
  int64_t integerAt(int64_t i) const;
  /// Calls visit(offset) for each weight with these indices (-1: any) until it returns false.
  bool all(int64_t out, int64_t in, llvm::function_ref<bool(int64_t)> visit) const;

  ContractionWeights weights;
  std::optional<HostTensor> tensor;
  bool isInteger = false, isUnsigned = false;
  int64_t zero = 0;
};

/// What an integer contraction takes off its input.
int64_t inputZero(mlir::Operation *contraction);
bool isInputUnsigned(mlir::Operation *contraction);
/// Do some of a contraction's sums leave out inputs that lie outside?
bool hasPadding(mlir::Operation *contraction);

class ChannelConstants {
public:
  ChannelConstants(const ChannelGroup &group, EvaluationCache &cache);
  bool isKnown(mlir::Value value, int64_t channel) const;
  /// Of a known channel.
  int64_t integerAt(mlir::Value value, int64_t channel, bool isUnsigned) const;
  double numberAt(mlir::Value value, int64_t channel) const;

private:
  struct Known {
    llvm::BitVector channels;
    HostTensor values; ///< an element per channel
  };
  void ofMaker(mlir::Operation *maker);
  void ofGeneric(mlir::linalg::GenericOp op);
  void ofDepthwise(ConvOp conv);
  void ofPool(PoolOp pool);
  void set(mlir::Value value, llvm::ArrayRef<int64_t> channels, const HostTensor &values);

  const ChannelGroup &group;
  EvaluationCache &cache;
  llvm::DenseMap<mlir::Value, Known> known;
};

} // namespace sinter
