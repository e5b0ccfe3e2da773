// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Winograd's transform of a filter along one dim, and back: what templates/panels/winograd_taps.h says that its
// products are multiplied by.
#pragma once

#include "templates/panels/winograd_taps.h"

#include <cmath>

namespace sinter {

/// The point of a sum before the last, and what divides the taps' products with its powers: the product of its
/// distances from the part's other points.
struct WinogradPoint {
  double at, distances = 1;
};
inline WinogradPoint winogradPoint(WinogradTaps taps, bool isThree, int sum) {
  constexpr double a = kWinogradA, b = kWinogradB;
  constexpr double ofTwo[] = {0, 1, -1}, ofFour[] = {0, a, -a, b, -b};
  const double *points = taps.together == 2 ? ofTwo : ofFour;
  WinogradPoint point{points[sum]};
  for (int i = 0; i < taps.sums() - (isThree ? 1 : 2); ++i)
    point.distances *= i == sum ? 1 : point.at - points[i];
  if (taps.together == 2) // the transform of inputs has the signs
    point.distances = std::abs(point.distances);
  return point;
}

/// Of so many taps that are so many products.
inline WinogradTaps winogradOf(int64_t taps, int64_t products) {
  WinogradTaps two{static_cast<int>(taps), 2};
  return two.products() == products ? two : WinogradTaps{two.taps, 4};
}

/// to(product, value) for each of G g, of taps g(0), g(1), ...
template <class Tap, class To>
void winogradProducts(WinogradTaps taps, Tap g, To to) {
  if (taps.isPlain()) {
    to(0, g(0));
    return;
  }
  for (int part = 0; part < taps.parts(); ++part) {
    bool isThree = part < taps.threes();
    int first = taps.firstTap(part), last = first + (isThree ? 2 : 1), end = taps.sums() - 1;
    for (int sum = 0; sum < end - (isThree ? 0 : 1); ++sum) {
      WinogradPoint point = winogradPoint(taps, isThree, sum);
      auto between = isThree ? g(first) + g(last) * (point.at * point.at) + g(first + 1) * point.at
                             : g(first) + g(last) * point.at;
      to(taps.productsOf(sum) + part, between / point.distances);
    }
    to(taps.productsOf(end) + part, g(last));
  }
}

/// The tap of that number, of products u(0), u(1), ...: the first and the last are products, the one between is in the
/// difference of those of a point and of its opposite.
template <class Product>
auto winogradTap(WinogradTaps taps, int tap, Product u) {
  using T = decltype(u(0));
  if (taps.isPlain())
    return u(0);
  bool isOfThree = tap < 3 * taps.threes();
  int part = isOfThree ? tap / 3 : taps.threes() + (tap - 3 * taps.threes()) / 2;
  int place = tap - taps.firstTap(part);
  if (place == 0)
    return u(taps.productsOf(0) + part) * static_cast<T>(winogradPoint(taps, isOfThree, 0).distances);
  if (isOfThree && place == 1) {
    WinogradPoint point = winogradPoint(taps, true, 1);
    return (u(taps.productsOf(1) + part) - u(taps.productsOf(2) + part)) *
           static_cast<T>(point.distances / (2 * point.at));
  }
  return u(taps.productsOf(taps.sums() - 1) + part);
}

} // namespace sinter
