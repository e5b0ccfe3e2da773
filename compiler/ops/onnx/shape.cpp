// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape: the dims from `start` to `end` as data. No code remains where they are known or symbolic.
#include "ops/lowering.h"

namespace sinter {

void register_shape(Registry &registry) {
  registry.onOp("Shape", {1, 13, 15, 19, 21, 23, 24, 25}, "data[_*]", [](Op &op) {
    Tensor x = op.input(0);
    int64_t rank = x.rank();
    auto clamped = [&](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + rank : i, 0, rank); };
    int64_t start = clamped(op.integer("start", 0)), end = clamped(op.integer("end", rank));
    Sizes sizes = op.sizes(x);
    return op.result(op.fromSizes(llvm::ArrayRef(sizes).slice(start, std::max<int64_t>(end - start, 0))));
  });
}

} // namespace sinter
