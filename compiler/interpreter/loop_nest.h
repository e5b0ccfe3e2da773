// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structured op with its operands' data: extents of the loops and, per operand, how a point of the iteration space
// finds its element.
#pragma once

#include "engine.h"
#include "movement.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sinter {

struct Access {
  HostTensor tensor;
  mlir::AffineMap map;
  bool linear = false; ///< offset = base + sum(strides * point), in elements
  bool used = true;
  int64_t base = 0;
  llvm::SmallVector<int64_t> strides;       ///< per loop
  llvm::SmallVector<int64_t, 6> dimStrides; ///< per dim of the tensor; 0 for a splat
  const char *data = nullptr;

  int64_t offsetAt(llvm::ArrayRef<int64_t> point) const {
    int64_t offset = base;
    for (size_t i = 0; i < strides.size(); ++i)
      offset += strides[i] * point[i];
    return offset;
  }
  /// By evaluating the map; nothing when it leaves the tensor.
  std::optional<int64_t> mappedOffset(llvm::ArrayRef<int64_t> point) const;
};

struct LoopNest {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<bool> parallel;
  std::vector<Access> accesses; ///< inputs, then outputs
  size_t outputCount = 0;

  /// Nothing when an operand has no value or its size contradicts the others.
  static std::optional<LoopNest> make(Engine &engine, mlir::linalg::LinalgOp op);
  llvm::MutableArrayRef<Access> outputs() { return llvm::MutableArrayRef<Access>(accesses).take_back(outputCount); }
  int64_t points() const { return countElements(extents); }
  /// Works out an access's strides; false when a linear map would leave the tensor.
  bool resolve(Access &access) const;
  bool isLinear() const;
  bool hasStrings() const;

  /// The body only yields inputs, over parallel loops with linear maps.
  bool isMovement(mlir::Block &body) const;
  void move(mlir::Block &body);

  /// Gives each output memory of its own: a copy of the init if the body reads it or does not write all of it.
  bool prepareOutputs(Engine &engine, mlir::linalg::LinalgOp op, bool readsOutputs);
  bool finish(Engine &engine, mlir::linalg::LinalgOp op);
};

/// Runs a body over the nest; block arguments are the accesses in order (outputs may have none), results the outputs.
bool runNest(Engine &engine, LoopNest &nest, mlir::Block &body);

/// Element `offset` as a scalar, and back.
HostTensor elementAt(const HostTensor &tensor, int64_t offset);
void setElement(HostTensor &tensor, int64_t offset, const HostTensor &scalar);

} // namespace sinter
