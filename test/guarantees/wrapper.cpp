// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ wrappers of two models: spans of arrays, containers and, where there is one, to std::span. headers.py builds
// it as C++17 and C++20.
#include "first.hpp"
#include "second.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

alignas(first::arena_align) static unsigned char scratch[first::arena_bytes];
alignas(second::arena_align) static unsigned char more[second::arena_bytes];

#if __cplusplus > 201703L
static_assert(std::is_convertible<first::span<const float>, std::span<const float>>::value, "spans become std::span");
#endif

static int expect(bool holds, const char *what) {
  if (!holds)
    std::fprintf(stderr, "not so: %s\n", what);
  return holds ? 0 : 1;
}

int main() {
  int wrong = 0;
  std::array<float, 64> image = {};
  float probabilities[10];
  first::inputs in;
  first::outputs out;
  in.image = image;
  out.probabilities = probabilities;
  wrong += expect(first::run(in, out, scratch) == 0, "a call with arrays");
  in.image = {image.data(), 63};
  wrong += expect(first::run(in, out, scratch) == 4, "a short span is status 4");

  const std::vector<float> x(2 * 5 * 8), w(8 * 12);
  const std::vector<int64_t> places(5);
  std::vector<float> y(2 * 5 * 12), chosen(2 * 5 * 12);
  second::inputs inputs;
  second::outputs outputs;
  inputs.x = x;
  inputs.w = w;
  inputs.places = places;
  inputs.batch = 2;
  inputs.n = 5;
  outputs.y = y;
  outputs.chosen = chosen;
  wrong += expect(second::run(inputs, outputs, more) == 0, "a call with vectors and dims");
  wrong += expect(std::strcmp(second::info().prefix, "second") == 0, "info");
  return wrong;
}
