// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of node IR that another one of lower rank is put beside: y + (x A) B in place of y = x W. What A and B add
// may have a weight that is an input of the graph, by which it is switched on and off.
#pragma once

#include "adapter.h"
#include "adapter_matrix.h"
#include "weight_sites.h"

namespace sinter {

struct LinearProduct {
  NodeOp node;
  mlir::Type element; ///< of what is multiplied
  int64_t inputs = 0, outputs = 0;
};

/// MatMul, Gemm or MatMulNBits with a weight, whatever its bits; none of other nodes.
std::optional<LinearProduct> linearProductOf(const WeightSite &site);

/// `a`: [inputs, rank], `b`: [rank, outputs].
void addBesideProduct(const LinearProduct &product, const AdapterMatrix &a, const AdapterMatrix &b,
                      const std::optional<AdapterSwitch> &switched);

/// Adds the input of the weights, unless it is there. False: the model has an input of this name that is another.
bool addAdapterWeights(mlir::ModuleOp module, int64_t count);

} // namespace sinter
