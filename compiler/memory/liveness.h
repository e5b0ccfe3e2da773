// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When each allocation of a function is needed, over the linear order of its ops. plan.cpp packs what is found here.
#pragma once

#include "ir/space.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace sinter {

struct Lifetime {
  mlir::memref::AllocOp alloc;
  SpaceAttr space;                      ///< as the allocation states it: a plan may choose among its regions
  int64_t first = INT64_MAX, last = -1; ///< positions of the first and last op that touch it
  bool written = false;                 ///< a buffer that nobody writes only lends its sizes (the window of a pooling)
};

/// Ops are numbered in program order, nested ones after the op they are in: the branches of an if follow each other, so
/// they share memory. What a loop body uses from outside it is needed throughout the loop. The ops of a launch have its
/// number, since they run side by side.
struct Lifetimes {
  std::vector<Lifetime> buffers;                                      ///< in the order of their allocations
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 1>> owners; ///< the buffers that a value may be (a view of)
  llvm::DenseMap<mlir::Operation *, int64_t> position;

  explicit Lifetimes(mlir::func::FuncOp function);
};

} // namespace sinter
