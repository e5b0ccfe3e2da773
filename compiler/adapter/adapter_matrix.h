// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of an adapter, and what they add to a weight: computed in double, rounded once.
#pragma once

#include "interpreter/interpreter.h"

#include <vector>

namespace sinter {

/// A matrix of doubles, row by row.
struct AdapterMatrix {
  int64_t rows = 0, columns = 0;
  std::vector<double> numbers;

  double *row(int64_t i) { return numbers.data() + i * columns; }
  const double *row(int64_t i) const { return numbers.data() + i * columns; }
  AdapterMatrix transposed() const {
    AdapterMatrix made{columns, rows, std::vector<double>(numbers.size())};
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        made.row(j)[i] = row(i)[j];
    return made;
  }
};

inline std::vector<double> doublesOf(const HostTensor &tensor) {
  std::vector<double> numbers(static_cast<size_t>(tensor.size()));
  findConversion(tensor.kind(), ElementKind::F64, true)(tensor.bytes(), reinterpret_cast<char *>(numbers.data()),
                                                        tensor.size());
  return numbers;
}

/// W plus left times right, which begins at a row and a column of W.
inline HostTensor sumOf(const HostTensor &old, int64_t rows, int64_t columns, const AdapterMatrix &left,
                        const AdapterMatrix &right, int64_t firstRow, int64_t firstColumn) {
  HostTensor sum = HostTensor::allocate(old.getElementType(), old.shape());
  ConvertFn toDouble = findConversion(old.kind(), ElementKind::F64, true),
            fromDouble = findConversion(ElementKind::F64, old.kind(), true);
  size_t bytes = static_cast<size_t>(columns) * old.bytesPerElement();
  const char *from = old.bytes();
  char *to = sum.mutableBytes();
  std::vector<double> row(static_cast<size_t>(columns));
  for (int64_t i = 0; i < rows; ++i, from += bytes, to += bytes) {
    toDouble(from, reinterpret_cast<char *>(row.data()), columns);
    if (i >= firstRow && i < firstRow + left.rows)
      for (int64_t k = 0; k < left.columns; ++k) {
        double factor = left.row(i - firstRow)[k];
        const double *other = right.row(k);
        for (int64_t j = 0; j < right.columns; ++j)
          row[static_cast<size_t>(firstColumn + j)] += factor * other[j];
      }
    fromDouble(reinterpret_cast<const char *>(row.data()), to, columns);
  }
  return sum;
}

/// In the type and shape of another tensor.
inline HostTensor valuesIn(const HostTensor &like, const AdapterMatrix &values) {
  HostTensor made = HostTensor::allocate(like.getElementType(), like.shape());
  findConversion(ElementKind::F64, like.kind(), true)(reinterpret_cast<const char *>(values.numbers.data()),
                                                      made.mutableBytes(), made.size());
  return made;
}

} // namespace sinter
