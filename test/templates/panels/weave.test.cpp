// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// weave.h: every lane of every woven vector.
#include "templates/panels/weave.h"

#include "doctest/doctest.h"

using namespace sinter;

namespace {

template <int G, int M, class V>
void check() {
  constexpr int lanes = kLanesOf<V>;
  V v[M];
  for (int m = 0; m < M; ++m)
    for (int i = 0; i < lanes; ++i)
      v[m][i] = ElementOf<V>(100 * m + i);
  weave<G>(v);
  for (int at = 0; at < M * lanes; ++at) {
    const int chunk = at / G;
    CHECK(ElementOf<V>(v[at / lanes][at % lanes]) == ElementOf<V>(100 * (chunk % M) + chunk / M * G + at % G));
  }
}
template <int G, class V>
void checkAll() {
  check<G, 1, V>();
  check<G, 2, V>();
  check<G, 3, V>();
  check<G, 4, V>();
  check<G, 6, V>();
  check<G, 7, V>();
  check<G, 8, V>();
}

} // namespace

TEST_CASE("vectors are woven lane by lane and in groups of lanes") {
  if constexpr (kLanes<float> > 1) {
    checkAll<1, Vec<float, 4>>();
    checkAll<2, Vec<float, 4>>();
    checkAll<4, Vec<float, 4>>(); // nothing to weave: each vector is a group
    checkAll<1, Vec<float, kLanes<float>>>();
    checkAll<kLanes<float> / 2, Vec<float, kLanes<float>>>();
  }
}
