// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Winograd's transform of a filter along one dim, and back: what templates/panels/winograd_taps.h says that its
// products are multiplied by.
#pragma once

#include "templates/panels/winograd_taps.h"

namespace sinter {

/// to(product, value) for each of G g, of taps g(0), g(1), ...
template <class Tap, class To>
void winogradProducts(WinogradTaps taps, Tap g, To to) {
  if (taps.isPlain()) {
    to(0, g(0));
    return;
  }
  for (int part = 0; part < taps.parts(); ++part) {
    int at = taps.firstTap(part);
    auto product = [&](int sum) { return taps.productsOf(sum) + part; };
    to(product(0), g(at));
    if (part < taps.threes()) {
      to(product(1), (g(at) + g(at + 2) + g(at + 1)) / 2);
      to(product(2), (g(at) + g(at + 2) - g(at + 1)) / 2);
      to(product(3), g(at + 2));
    } else {
      to(product(1), g(at) + g(at + 1));
      to(product(3), g(at + 1));
    }
  }
}

/// The tap of that number, of products u(0), u(1), ...
template <class Product>
auto winogradTap(WinogradTaps taps, int tap, Product u) {
  bool isOfThree = tap < 3 * taps.threes();
  int part = isOfThree ? tap / 3 : taps.threes() + (tap - 3 * taps.threes()) / 2;
  int place = taps.isPlain() ? 0 : tap - taps.firstTap(part);
  if (place == 0)
    return u(taps.productsOf(0) + (taps.isPlain() ? 0 : part));
  if (isOfThree && place == 1)
    return u(taps.productsOf(1) + part) - u(taps.productsOf(2) + part);
  return u(taps.productsOf(3) + part);
}

} // namespace sinter
