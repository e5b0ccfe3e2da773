// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concat: inputs one after another along `axis`.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

void register_concat(Registry &registry) {
  registry.onOp("Concat", {1, 4, 11, 13}, "inputs[A:or(axis,1),_,B*]", [](Op &op) -> LogicalResult {
    SmallVector<Tensor> inputs = op.inputs();
    int64_t rank = inputs.front().rank();
    FailureOr<int64_t> axis = op.axis(op.integer("axis", 1), rank);
    if (failed(axis))
      return failure();
    SmallVector<std::optional<int64_t>> known(rank); // of those inputs that say it
    for (Tensor x : inputs) {
      if (x.rank() != rank)
        return op.fail(Code::ShapeMismatch, "inputs of ranks " + Twine(rank) + " and " + Twine(x.rank()));
      for (int64_t d = 0; d < rank; ++d) {
        std::optional<int64_t> size = constantOf(op.size(x, d));
        if (d != *axis && size && known[d].value_or(*size) != *size)
          return op.fail(Code::ShapeMismatch,
                         "inputs differ in dim " + Twine(d) + ": " + Twine(*known[d]) + " and " + Twine(*size));
        if (size)
          known[d] = size;
      }
    }
    return op.result(op.concat(inputs, *axis));
  });
}

} // namespace sinter
