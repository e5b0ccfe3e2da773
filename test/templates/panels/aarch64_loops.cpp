// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tiles that the compiler takes on 64-bit Arm (compiler/kernels/panels/support/tile.cpp: 9 rows by 2
// vectors, 14 by 1, and what rows are left of others), whose innermost loops aarch64_loops.py looks at.
#include "templates/panels/segments.h"

using namespace sinter;
using V = Vec<float, 4>;

template <int R, int NV>
struct Tile {
  [[gnu::noinline]] static void updates(const float *a, int64_t lda, const float *b, int64_t k, const char *ahead,
                                        int64_t share, V *out) {
    rankUpdates<R, NV, V>(a, lda, Fixed<1>{}, b, Fixed<NV * 4>{}, k, Ahead{ahead, share}, out);
  }
  [[gnu::noinline]] static void segments(const void *list, int64_t count, int64_t stride, const char *ahead,
                                         int64_t share, V *out) {
    rankSegments<R, NV, V>(static_cast<const Segment<float, float> *>(list), count, stride, Fixed<1>{},
                           Ahead{ahead, share}, false, out);
  }
};
template struct Tile<9, 2>;
template struct Tile<8, 2>;
template struct Tile<6, 2>;
template struct Tile<14, 1>;
template struct Tile<12, 1>;
