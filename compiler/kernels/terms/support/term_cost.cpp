// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "term_cost.h"

#include "kernels/direct/support/matmul_strides.h"
#include "templates/dot4/tile_steps.h"
#include "templates/terms/term_sizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sinter {
namespace {

// Measured on Intel Xeon (Granite Rapids), numbers drawn at random: multiply-adds of bf16 in a cycle, which zeros would
// be half as many again; cycles of a number that is split, of the columns with reading it from where weights lie.
constexpr double kMacsOfTiles = 350, kPerTermOfColumns = 0.23, kPerTermOfRows = 0.13;

} // namespace

int termsOf(Type type) { return type.isF32() ? 3 : type.isF16() ? 2 : type.isBF16() ? 1 : 0; }

std::optional<int64_t> leastRowsForTerms(const Target &target, int64_t n, Type lhs, Type rhs) {
  int termsA = termsOf(lhs), termsB = termsOf(rhs);
  if (!target.termTiles || !termsA || !termsB || n <= 0)
    return std::nullopt;
  double filled = double(llvm::alignTo(n, target.lanes()));
  // For each number of k: of a row, and of all columns once. Register tiles come to nine tenths of what the CPU can do.
  double byFloats = filled / (0.9 * target.macsPerCycle());
  double byTerms =
      double(llvm::alignTo(n, kTileColumns)) * productsOfTerms(termsA, termsB) / kMacsOfTiles + kPerTermOfRows * termsA;
  if (byTerms >= byFloats)
    return std::nullopt;
  return int64_t(filled * kPerTermOfColumns * termsB / (byFloats - byTerms)) + 1;
}

bool takesTerms(MatmulOp op, StringRef &whyNot) {
  KernelAttr kernel = op.getKernelAttr();
  MatmulStrides strides = stridesOf(op);
  if (!kernel || kernel.getName() != "gemm" || !kernel.has("terms"))
    whyNot = "its constant operand is not packed for it";
  else if (strides.lhsColumn != 1 || strides.outputColumn != 1)
    whyNot = "rows have gaps";
  else
    return true;
  return false;
}

double termCycles(const ProductSizes &sizes, int termsA, int termsB) {
  double rows = double(llvm::alignTo(sizes.m, kTileRows)), columns = double(llvm::alignTo(sizes.n, kTileColumns));
  double products = rows * columns * productsOfTerms(termsA, termsB) / kMacsOfTiles;
  double splits = columns * kPerTermOfColumns * termsB + rows * kPerTermOfRows * termsA;
  return double(sizes.batch) * double(sizes.k) * (products + splits);
}

} // namespace sinter
