// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a product takes in tile registers by terms of bf16 (templates/terms/term_tiles.h), beside register tiles of
// floats: by which of them it is made. passes/packing decides, on the whole product, since sums are rounded otherwise.
#pragma once

#include "kernels/cycles.h"

namespace sinter {

/// Terms of numbers of a type, as kTermsOf of templates/terms/float_terms.h has it; 0 of others.
int termsOf(mlir::Type type);

/// The number of rows from which on tiles of terms are faster, of a product of n columns and k terms each; nothing
/// where they never are, or the target has none.
std::optional<int64_t> leastRowsForTerms(const Target &target, int64_t n, mlir::Type lhs, mlir::Type rhs);

/// The number of rows from which on threads share a product's rows, of n columns: each splits all that it does not
/// share. A row is split in half of the time of a column, but where columns are shared, most of it is read from another
/// core's cache, which takes as long. 0 where n is not known.
int64_t leastRowsToShare(int64_t n);

/// Whether a convolution that is such a product takes less time by terms than in register tiles of floats.
bool mapsAreFasterByTerms(const Target &target, const ProductSizes &sizes, mlir::Type lhs, mlir::Type rhs);

/// Whether a product that is packed for terms is computed by them: as its operands lie.
bool takesTerms(MatmulOp op, llvm::StringRef &whyNot);

/// Cycles of a core whose tiles multiply bf16; nothing where sizes have no bound, or the operands no terms.
std::optional<double> cyclesByTerms(const std::optional<ProductSizes> &sizes, mlir::Value lhs, mlir::Value rhs);

} // namespace sinter
