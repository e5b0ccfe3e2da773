// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls of kernels cost, for the `estimate` of records: by what the loops of a family do, on a CPU whose vectors
// and costs are known. Sizes have to be known too. What is behind L2 is not counted, nor are calls.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// Cycles of a multiply-add of floats in a register tile that is full, where the target does not say (`costs`): by what
/// its machine does at most (target/machine.h). On microcontrollers instructions.
double cyclesPerMac(const Target &target);

/// A contraction as a matrix product: m outputs by n columns, each a sum of k products; of a convolution in groups for
/// each group.
struct ProductSizes {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  int64_t row = 1; ///< outputs of m that lie beside each other: the last dim of a map
  int64_t sums() const { return batch * m * n; }
};
std::optional<ProductSizes> productSizesOf(MatmulOp op);
std::optional<ProductSizes> productSizesOf(ConvOp op);

/// In register tiles of `rows` x `columns` sums. A tile at the border costs whole columns; one whose sums are too few
/// to hide the time that an addition takes waits for it.
double tileCycles(const Target &target, const ProductSizes &sizes, int64_t rows, int64_t columns);
/// In the target's own tile, for float.
double tileCycles(const Target &target, const ProductSizes &sizes);

/// The same where columns are not filled up: what is left of them goes by single vectors, then by fours, then one by
/// one.
double rowCycles(const Target &target, const ProductSizes &sizes, int64_t rows, int64_t columns);
double rowCycles(const Target &target, const ProductSizes &sizes);

/// Each sum in a vector along k, whose lanes are added up at its end: four rows by four columns at a time.
double dotCycles(const Target &target, const ProductSizes &sizes);

/// The same right-hand side turned round, in register tiles then.
double turnedCycles(const Target &target, const ProductSizes &sizes);
/// The same, copied.
double copiedCycles(const Target &target, const ProductSizes &sizes);

/// Up to six sums by four vectors along a row (templates/direct/conv_rows.h), whose last vector is not full.
double alongRowCycles(const Target &target, const ProductSizes &sizes);

/// Vectors that are full and wait for nothing.
double macCycles(const Target &target, const ProductSizes &sizes);

/// Bytes, four products to an accumulator (templates/dot4), or what `costs` says of one.
double byteCycles(const Target &target, const ProductSizes &sizes);

/// One sum after the other, each addition waiting for the one before.
double scalarCycles(const Target &target, const ProductSizes &sizes);

/// A record's `estimate` by one of these; nothing where a size has no bound.
template <double (*cycles)(const Target &, const ProductSizes &), class Contraction>
std::optional<double> estimateBy(Contraction op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  return sizes ? std::optional(cycles(target, *sizes)) : std::nullopt;
}

} // namespace sinter
