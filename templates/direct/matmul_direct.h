// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product for what gemm.h and gemm_unpacked.h do not take: any strides, any element type. One element after the
// other, sums in the order of k.
#pragma once

#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// C(i, j) = epilogue(sum over p of A(i, p) B(p, j)); `a(i, p)` and `b(p, j)` give elements, S sums them.
template <class S, class A, class B, class TC, class Epilogue>
void matmulDirect(A a, B b, TC *c, int64_t rowStride, int64_t columnStride, int64_t m, int64_t n, int64_t k,
                  Epilogue epilogue) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      S sum{};
      for (int64_t p = 0; p < k; ++p)
        sum = multiplyAdd(convert<S>(a(i, p)), convert<S>(b(p, j)), sum);
      store(c + i * rowStride + j * columnStride, epilogue(sum, i, j));
    }
}

} // namespace
} // namespace sinter
