// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (number - zero) * scale of all numbers, [rows, columns]: weights as they mean, for kernels that do not take them
// packed.
#include "interpreter/block_numbers.h"

namespace sinter {
bool interpret_dequantize_blocks(KernelCall &call) {
  const BlockNumbers weights(call);
  ArrayRef<int64_t> shape = call.outputs[0].shape();
  if (shape.size() != 2 || shape[0] != weights.rows() || !weights.fit(shape[1]))
    return false;
  return withFloat(call.outputs[0], [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T *to = call.out<T, 2>(0).data;
    for (int64_t row = 0; row < shape[0]; ++row)
      for (int64_t first = 0; first < shape[1]; first += weights.block) {
        int64_t which = first / weights.block, end = std::min(first + weights.block, shape[1]);
        float zero = weights.zero(row, which), scale = weights.scale(row, which);
        for (int64_t column = first; column < end; ++column)
          *to++ = convert<T>((static_cast<float>(weights.number(row, column)) - zero) * scale);
      }
    return true;
  });
}
} // namespace sinter
