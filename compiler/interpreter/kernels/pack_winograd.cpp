// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters [k, c, 3, 3] of floats or halfs as [k, c, 4, 4], each G g G', rounded once: templates/panels/conv_winograd.h.
#include "interpreter/kernel_call.h"

#include "runtime-lite/vec.h"
#include <array>

namespace sinter {
bool interpret_pack_winograd(KernelCall &call) {
  return withFloat(call.inputs[0], [&](auto tag) {
    const auto filters = call.in<typename decltype(tag)::Type, 4>(0);
    const auto *g = filters.data;
    float *u = call.out<float, 4>(0).data;
    const auto sums = [](std::array<double, 3> x, std::array<double, 4> &y) {
      y[0] = x[0];
      y[1] = (x[0] + x[2] + x[1]) / 2;
      y[2] = (x[0] + x[2] - x[1]) / 2;
      y[3] = x[2];
    };
    for (int64_t i = filters.sizes[0] * filters.sizes[1]; i > 0; --i, g += 9, u += 16) {
      std::array<double, 4> rows[3];
      for (int y = 0; y < 3; ++y)
        sums({double(convert<float>(g[3 * y])), double(convert<float>(g[3 * y + 1])),
              double(convert<float>(g[3 * y + 2]))},
             rows[y]);
      for (int j = 0; j < 4; ++j) {
        std::array<double, 4> column{};
        sums({rows[0][j], rows[1][j], rows[2][j]}, column);
        for (int y = 0; y < 4; ++y)
          u[4 * y + j] = static_cast<float>(column[y]);
      }
    }
    return true;
  });
}
} // namespace sinter
