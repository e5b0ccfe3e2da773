// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of conv_winograd.h that have no products, as those of two and of four taps: nothing stands before or behind
// their empty list. What is read there changes no result, so that a build with sanitizers takes these as well;
// conv_winograd.test.cpp, of all forms, is too long for that.
#include "conv_problem.h"
#include "templates/panels/conv_winograd.h"

#include <algorithm>
#include <memory>
#include <stdlib.h>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Problem;

namespace {

/// G g of taps that are all 1, along one dim of pairs: each pair has the products g0, g0 + g1 and g1.
std::vector<float> productsOfOnes(WinogradTaps taps) {
  std::vector<float> products(size_t(taps.products()), 1.0f);
  if (!taps.isPlain())
    std::fill(products.begin() + taps.productsOf(1), products.begin() + taps.productsOf(2), 2.0f);
  return products;
}

template <int ky, int kx>
void checkPairs(int64_t height, int64_t width) {
  using Y = WinogradF<(ky == 1 ? 1 : 2), ky>;
  using X = WinogradF<2, kx>;
  ConvShape s;
  s.channels = 5, s.filters = kNR + 3, s.height = height, s.width = width, s.kernelH = ky, s.kernelW = kx;
  test::setOutputSize(s, 0, 0);
  Problem<ConvShape> p(s, 0, 0);
  std::fill(p.weights.begin(), p.weights.end(), 1.0f);
  std::vector<float> products;
  for (const float y : productsOfOnes(Y::kWinograd))
    for (const float x : productsOfOnes(X::kWinograd))
      products.push_back(y * x);
  std::vector<float> filters;
  for (int64_t i = 0; i < s.channels * s.filters; ++i)
    filters.insert(filters.end(), products.begin(), products.end());
  const auto weights = test::packFilters(filters, s.filters, s.channels, int64_t(products.size()), 1, false);
  const auto room = size_t(convWinogradScratch(Y::kWinograd, X::kWinograd, s.channels, 2 * kR, kNR)) * sizeof(float);
  // Aligned as an arena is, rounded up to its alignment.
  const std::unique_ptr<void, decltype(&free)> scratch(aligned_alloc(64, (room + 63) / 64 * 64), &free);
  convWinograd<Y, X, kR, kNR, 2 * kR>(p.s, p.laidOut().data(), weights.data(), p.out.data(),
                                      static_cast<float *>(scratch.get()), Fixed<0>{}, p.s.outHeight, Fixed<0>{},
                                      Fixed<0>{}, p.addBias());
  p.check();
}

} // namespace

TEST_CASE("sums without products read neither before their list nor behind the weights") {
  checkPairs<1, 2>(1, 33);
  checkPairs<1, 4>(2, 18);
  checkPairs<2, 2>(5, 6);
}
