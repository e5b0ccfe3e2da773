// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tiles of bytes that the compiler takes on 64-bit Arm with dot products, or with products of matrices,
// and those of bf16 (compiler/kernels/panels/support/tile.cpp), whose innermost loops
// test/templates/panels/aarch64_loops.py looks at.
#include "templates/dot4/bf16_gemm.h"
#include "templates/dot4/int_tile.h"

using namespace sinter;
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
using V = Vec<float, 4>;
using Bytes = Bf16Squares;
#elif defined(__ARM_FEATURE_MATMUL_INT8)
using V = Vec<int32_t, 4>;
using Bytes = InEights<SignedBytes>;
#else
using V = Vec<int32_t, 4>;
using Bytes = SignedBytes;
#endif
using Runs = ByteRuns<Fixed<1>, Fixed<1>, Fixed<256>, Fixed<0>, Fixed<0>>;

template <int R, int NV>
struct Tile {
  [[gnu::noinline]] static void dots(const uint8_t *a, int64_t stride, const int8_t *b, V *out) {
    byteTile<R, NV, 1, Bytes>(a, stride, Runs{}, b, 0, out);
  }
};
#if defined(__ARM_FEATURE_MATMUL_INT8) || defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
template struct Tile<4, 4>;
template struct Tile<6, 3>;
template struct Tile<8, 2>;
#else
template struct Tile<4, 4>;
template struct Tile<6, 3>;
template struct Tile<9, 2>;
template struct Tile<8, 2>;
#endif
