// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of kinds.yaml.
#pragma once

#include "kinds_more.h"

#include <stddef.h>
#include <stdint.h>

namespace kinds {

/// sum: of the elements of each row that are not skipped, times scale, from `first` on. count: how many are above each
/// of ks. A sum above 1e6 ends the call with status 99. The rank is told by the array.
template <class T, size_t Rank>
int reduce(const T *x, const int64_t (&x_dims)[Rank], const bool *skip, const int64_t *, const T *first,
           const int64_t *, T *sum, const int64_t *, int64_t *count, const int64_t *, void *scratch, float scale,
           const int64_t *ks, int64_t ks_count, const float *weights, int64_t weights_count, const char *mode) {
  int64_t rows = 1;
  const int64_t width = x_dims[Rank - 1];
  for (size_t d = 0; d + 1 < Rank; ++d)
    rows *= x_dims[d];
  double *row = static_cast<double *>(scratch);
  for (int64_t r = 0; r < rows; ++r) {
    double total = first ? static_cast<double>(*first) : 0;
    for (int64_t i = 0; i < width; ++i) {
      row[i] = skip && skip[i] ? 0 : static_cast<double>(x[r * width + i]);
      if (i < weights_count)
        row[i] *= weights[i];
      total += row[i] * scale;
    }
    if (total > 1e6)
      return 99;
    sum[r] = static_cast<T>(mode[0] == 'n' && mode[9] == '"' ? -total : total);
    for (int64_t k = 0; k < ks_count; ++k) {
      count[r * ks_count + k] = 0;
      for (int64_t i = 0; i < width; ++i)
        count[r * ks_count + k] += row[i] > static_cast<double>(ks[k]);
    }
  }
  return 0;
}

} // namespace kinds

/// Every second row, as a column: halves are moved as their bits.
inline void halve(const uint16_t *x, const int64_t *x_dims, uint16_t *y, const int64_t *y_dims) {
  for (int64_t m = 0; m < y_dims[0]; ++m)
    for (int64_t n = 0; n < y_dims[1]; ++n)
      y[m * y_dims[1] + n] = kinds::moved(x[2 * n * x_dims[1] + m]);
}
