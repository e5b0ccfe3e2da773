// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of each step of a striped segment as index arithmetic on the loop's variable: StripeRows in IR.
#pragma once

#include "stripe_choice.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace sinter {

class StripeRowsIR {
public:
  /// `stripes`: stripeRows of the segment. `begin`: the first output row of its last step in the stripe at hand.
  StripeRowsIR(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<ChainStep> chain, const Segment &segment,
               llvm::ArrayRef<std::vector<StripeRows>> stripes, mlir::Value begin)
      : b(b), loc(loc), chain(chain), segment(segment), begin(begin), stripes(stripes) {}

  /// Of step `i` of the chain. Constants where all stripes have the same.
  mlir::OpFoldResult first(size_t i) { return first(i, 0); }
  mlir::OpFoldResult count(size_t i);
  mlir::OpFoldResult low(size_t i) { return low(i, 0); }
  /// As many rows of the window are from earlier stripes,
  mlir::OpFoldResult kept(size_t i);
  /// and move up so far.
  mlir::OpFoldResult shift(size_t i);

private:
  using Number = llvm::function_ref<int64_t(const StripeRows &row, const StripeRows &before)>;
  /// What `number` is in each stripe (that many stripes `back`), as a bounded linear function of `begin`, if it is one.
  std::optional<mlir::OpFoldResult> even(size_t i, int64_t back, Number number);
  const StripeRows &rowsOf(size_t stripe, size_t i) const { return stripes[stripe][i - segment.first]; }

  // `back` stripes ago.
  mlir::OpFoldResult reach(size_t i, int64_t back);
  mlir::OpFoldResult end(size_t i, int64_t back);
  mlir::OpFoldResult done(size_t i, int64_t back);
  mlir::OpFoldResult low(size_t i, int64_t back);
  mlir::OpFoldResult first(size_t i, int64_t back);
  mlir::OpFoldResult once(char what, size_t i, int64_t back, llvm::function_ref<mlir::OpFoldResult()> make);

  mlir::OpFoldResult apply(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::OpFoldResult least(llvm::ArrayRef<mlir::AffineExpr> exprs, llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::OpFoldResult most(llvm::ArrayRef<mlir::AffineExpr> exprs, llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::AffineExpr constant(int64_t value) const { return mlir::getAffineConstantExpr(value, b.getContext()); }

  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::ArrayRef<ChainStep> chain;
  const Segment &segment;
  mlir::OpFoldResult begin;
  llvm::ArrayRef<std::vector<StripeRows>> stripes;
  std::map<std::tuple<char, size_t, int64_t>, mlir::OpFoldResult> made;
};

} // namespace sinter
