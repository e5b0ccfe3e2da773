// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "maps.h"

#include "conversion.h"

using namespace mlir;

namespace sinter {

const Map &mapOf(const Op &op, unsigned i) { return *op.conversion.find(op.node.getInputs()[i])->map; }

FailureOr<Tensor> withFirstOf(const Op &op, Tensor slots, Tensor places, Tensor values) {
  // Of updates of one element the last one stays.
  auto put = op.call("ScatterElements", 18, {slots, op.flip(places, {0}), op.flip(values, {0})});
  if (failed(put))
    return failure();
  return (*put)[0];
}

} // namespace sinter
