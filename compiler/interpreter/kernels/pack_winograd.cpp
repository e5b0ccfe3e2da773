// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters [k, c, taps...] of floats or halfs as [k, c, products...], each G g G', rounded once:
// templates/panels/winograd_taps.h.
#include "interpreter/kernel_call.h"
#include "interpreter/winograd_filters.h"

#include <vector>

namespace sinter {
namespace {

/// Of filters of y by x taps.
template <class T>
void packFilters(const T *g, int64_t filters, WinogradTaps y, WinogradTaps x, float *u) {
  std::vector<double> rows(static_cast<size_t>(y.taps * x.products()));
  const int64_t taps = int64_t{y.taps} * x.taps, products = int64_t{y.products()} * x.products();
  for (; filters > 0; --filters, g += taps, u += products) {
    for (int i = 0; i < y.taps; ++i)
      winogradProducts(
          x, [&](int tap) { return double(convert<float>(g[i * x.taps + tap])); },
          [&](int product, double value) { rows[static_cast<size_t>(i * x.products() + product)] = value; });
    for (int j = 0; j < x.products(); ++j)
      winogradProducts(
          y, [&](int tap) { return rows[static_cast<size_t>(tap * x.products() + j)]; },
          [&](int product, double value) { u[product * x.products() + j] = static_cast<float>(value); });
  }
}

} // namespace

bool interpret_pack_winograd(KernelCall &call) {
  return withFloat(call.inputs[0], [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if (call.inputs[0].shape().size() == 3) {
      const auto g = call.in<T, 3>(0);
      const auto u = call.out<float, 3>(0);
      packFilters(g.data, g.sizes[0] * g.sizes[1], {1}, winogradOf(g.sizes[2], u.sizes[2]), u.data);
    } else {
      const auto g = call.in<T, 4>(0);
      const auto u = call.out<float, 4>(0);
      packFilters(g.data, g.sizes[0] * g.sizes[1], winogradOf(g.sizes[2], u.sizes[2]),
                  winogradOf(g.sizes[3], u.sizes[3]), u.data);
    }
    return true;
  });
}
} // namespace sinter
