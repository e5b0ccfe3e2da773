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
/// What register tiles come to of what a CPU can do, and cycles of a sum that goes through memory on its way to a map.
constexpr double kReachedByFloats = 0.9, kPerSum = 0.2;

double termCycles(const ProductSizes &sizes, int termsA, int termsB) {
  double rows = double(llvm::alignTo(sizes.m, kTileRows)), columns = double(llvm::alignTo(sizes.n, kTileColumns));
  double products = rows * columns * productsOfTerms(termsA, termsB) / kMacsOfTiles;
  int64_t together = termSizes(kTileColumns, sizes.m, sizes.n, sizes.k, termsA, termsB).rows;
  double splits = columns * kPerTermOfColumns * termsB * double(llvm::divideCeil(sizes.m, together)) +
                  rows * kPerTermOfRows * termsA;
  return double(sizes.batch) * double(llvm::alignTo(sizes.k, kTermStep)) * (products + splits);
}

} // namespace

int termsOf(Type type) { return type.isF32() ? 3 : type.isF16() ? 2 : type.isBF16() ? 1 : 0; }

std::optional<int64_t> leastRowsForTerms(const Target &target, int64_t n, Type lhs, Type rhs) {
  int termsA = termsOf(lhs), termsB = termsOf(rhs);
  if (!target.termTiles || !termsA || !termsB || n <= 0)
    return std::nullopt;
  double filled = double(llvm::alignTo(n, target.lanes()));
  // For each number of k: of a row, and of all columns once.
  double byFloats = filled / (kReachedByFloats * target.macsPerCycle());
  double byTerms =
      double(llvm::alignTo(n, kTileColumns)) * productsOfTerms(termsA, termsB) / kMacsOfTiles + kPerTermOfRows * termsA;
  if (byTerms >= byFloats)
    return std::nullopt;
  return int64_t(filled * kPerTermOfColumns * termsB / (byFloats - byTerms)) + 1;
}

int64_t leastRowsToShare(int64_t n) { return n > 0 ? std::max<int64_t>(2 * kRowsOfTiles, n) : 0; }

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

std::optional<double> cyclesByTerms(const std::optional<ProductSizes> &sizes, Value lhs, Value rhs) {
  int termsA = termsOf(getElementTypeOrSelf(lhs.getType())), termsB = termsOf(getElementTypeOrSelf(rhs.getType()));
  return sizes && termsA && termsB ? std::optional(termCycles(*sizes, termsA, termsB)) : std::nullopt;
}

bool mapsAreFasterByTerms(const Target &target, const ProductSizes &sizes, Type lhs, Type rhs) {
  int termsA = termsOf(lhs), termsB = termsOf(rhs);
  if (!target.termTiles || !termsA || !termsB)
    return false;
  double sums = double(sizes.sums() / std::max<int64_t>(sizes.n, 1)) * double(llvm::alignTo(sizes.n, target.lanes()));
  double byFloats = sums * double(sizes.k) / (kReachedByFloats * target.macsPerCycle());
  return termCycles(sizes, termsA, termsB) + sums * kPerSum < byFloats;
}

} // namespace sinter
