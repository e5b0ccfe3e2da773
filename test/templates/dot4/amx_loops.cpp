// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products in tile registers as the compiler calls them, whose loops amx_loops.test looks at.
#include "templates/dot4/tile_conv.h"
#include "templates/dot4/tile_gemm.h"

using namespace sinter;

void tall(const int8_t *a, const int8_t *b, int32_t *c) {
  tileGemm<32, SignedBytes>(a, Fixed<768>{}, b, c, Fixed<768>{}, Fixed<128>{}, Fixed<768>{}, Fixed<768>{}, Identity{});
}
void few(const int8_t *a, const int8_t *b, int32_t *c) {
  tileGemm<32, UnsignedBytes>(a, Fixed<768>{}, b, c, Fixed<768>{}, Fixed<8>{}, Fixed<768>{}, Fixed<768>{}, Identity{});
}
#ifdef ANY_SIZES // whose steps are too many for registers of integers
void any(const int8_t *a, const int8_t *b, int32_t *c, int64_t m, int64_t n, int64_t k) {
  tileGemm<32, UnsignedBytes>(a, k, b, c, n, m, n, k, Identity{});
}
#endif
