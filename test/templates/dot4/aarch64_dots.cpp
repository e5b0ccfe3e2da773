// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tiles of bytes that the compiler takes on 64-bit Arm with dot products, or with products of matrices
// (compiler/kernels/panels/support/tile.cpp), whose innermost loops test/templates/panels/aarch64_loops.py looks at.
#include "templates/dot4/int_tile.h"

using namespace sinter;
using V = Vec<int32_t, 4>;
#if defined(__ARM_FEATURE_MATMUL_INT8)
using Bytes = InEights<SignedBytes>;
#else
using Bytes = SignedBytes;
#endif
using Runs = ByteRuns<Fixed<1>, Fixed<1>, Fixed<256>, Fixed<0>, Fixed<0>>;

template <int R, int NV>
struct Tile {
  [[gnu::noinline]] static void dots(const uint8_t *a, int64_t stride, const int8_t *b, V *out) {
    byteTile<R, NV, 1, Bytes>(a, stride, Runs{}, b, 0, out);
  }
};
#if defined(__ARM_FEATURE_MATMUL_INT8)
template struct Tile<4, 4>;
template struct Tile<6, 3>;
template struct Tile<8, 2>;
#else
template struct Tile<4, 4>;
template struct Tile<6, 3>;
template struct Tile<9, 2>;
template struct Tile<8, 2>;
#endif
