// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tiles of bytes that the compiler takes on 64-bit Arm with dot products (compiler/kernels/panels/support/
// tile.cpp), whose innermost loops test/templates/panels/aarch64_loops.py looks at.
#include "templates/dot4/int_tile.h"

using namespace sinter;
using V = Vec<int32_t, 4>;
using Runs = ByteRuns<Fixed<1>, Fixed<1>, Fixed<256>, Fixed<0>, Fixed<0>>;

template <int R, int NV>
struct Tile {
  [[gnu::noinline]] static void dots(const uint8_t *a, int64_t stride, const int8_t *b, V *out) {
    dotTile<R, NV, 1, SignedBytes, V>(a, stride, Runs{}, b, 0, out);
  }
};
template struct Tile<4, 4>;
template struct Tile<6, 3>;
template struct Tile<9, 2>;
template struct Tile<8, 2>;
