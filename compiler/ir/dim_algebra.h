// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One algebra for sizes: what a size of run time is made of, as a polynomial over atoms (dims of the model, numbers
// read from data, floors of quotients, maxima). Sizes are compared, divided without a rest and bounded on it, so that
// (past + now) * 64 / (past + now) is 64, and n * h - h is at most (n - 1) * h. dim_bounds.h knows the atoms'
// intervals; builders/sizes.h writes polynomials as ops.
#pragma once

#include "interval.h"
#include "polynomial.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sinter {

class DimBounds;

/// Over numbers of atoms.
using DimPolynomial = Polynomial<unsigned>;

/// An integer (dim -1), or a dim of a shaped value.
using SizeKey = std::pair<mlir::Value, int64_t>;

struct DimAtom {
  enum Kind { Given, Floor, Max } kind;
  SizeKey key;                      ///< Given: what it is; Floor and Max: a value that has it, if any
  std::vector<DimPolynomial> parts; ///< Floor: dividend and divisor, which is positive; Max: of which
};

/// Polynomials stay within 64 bits for all values of their atoms: what may wrap around is an atom of its own.
class DimAlgebra {
public:
  explicit DimAlgebra(DimBounds &bounds) : bounds(bounds) {}

  DimPolynomial of(SizeKey key);
  DimPolynomial of(mlir::OpFoldResult size);
  DimPolynomial itself(SizeKey key) { return number({DimAtom::Given, key, {}}); }
  const DimAtom &atom(unsigned number) const { return atoms[number]; }
  /// Nothing where it is too long, or its coefficients too large.
  static std::optional<DimPolynomial> product(const DimPolynomial &x, const DimPolynomial &y);
  Interval rangeOf(const DimPolynomial &x) { return {end(x, false, mostDepth), end(x, true, mostDepth)}; }
  /// Of a minimum or maximum of affine expressions, some of which may be without a bound.
  Interval rangeOfExtreme(mlir::AffineMap map, mlir::ValueRange operands, bool isMax);

  /// Rounded down; nothing unless the divisor is certainly positive.
  std::optional<DimPolynomial> floorOf(DimPolynomial x, DimPolynomial divisor);
  std::optional<DimPolynomial> ceilOf(const DimPolynomial &x, const DimPolynomial &divisor);
  DimPolynomial largestOf(llvm::ArrayRef<DimPolynomial> of);
  DimPolynomial smallestOf(llvm::ArrayRef<DimPolynomial> of);

  /// Forgets what followed from the intervals of values.
  void forget() {
    known.clear();
    ranges.clear();
  }

private:
  static constexpr unsigned mostDepth = 4, mostTerms = 32, deepest = 256;

  std::optional<DimPolynomial> ofInteger(mlir::OpResult value);
  std::optional<DimPolynomial> ofDim(mlir::OpResult shaped, int64_t dim);
  std::optional<DimPolynomial> ofAffine(mlir::AffineExpr expr, llvm::ArrayRef<DimPolynomial> dims,
                                        llvm::ArrayRef<DimPolynomial> symbols);
  std::optional<DimPolynomial> ofAffine(mlir::AffineMap map, mlir::ValueRange operands, bool isMax);
  DimPolynomial number(DimAtom atom);
  Interval rangeOfAtom(unsigned number);
  /// The end of the interval by the atoms' intervals, each taken by itself.
  int64_t plainEnd(const DimPolynomial &x, bool isHigh);
  int64_t end(const DimPolynomial &x, bool isHigh, unsigned depth);
  int64_t endByAtoms(DimPolynomial x, bool isHigh);

  DimBounds &bounds;
  std::vector<DimAtom> atoms;
  std::map<std::pair<int, std::vector<DimPolynomial>>, unsigned> composed;
  llvm::DenseMap<SizeKey, unsigned> given;
  llvm::DenseMap<SizeKey, DimPolynomial> known;
  llvm::DenseMap<unsigned, Interval> ranges;
  unsigned depth = 0;
};

} // namespace sinter
