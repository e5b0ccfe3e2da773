// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each entry of the table is two inequalities for factors and offset: the sum reaches the entry's step, and not the
// next one. They are linear, so what is sought is a point of the integer lattice in a convex body of three dimensions.
// MLIR's simplex gives a point that keeps some of the inequalities, or shows that there is none; those that this point
// breaks most are added until it breaks none. Whole numbers near to a point of the simplex often do; where they do not
// and nothing new is broken, the simplex looks for a whole one, which takes longer.
#include "integer_fit.h"

#include "mlir/Analysis/Presburger/Simplex.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace mlir::presburger;

namespace sinter {
namespace {

class Search {
public:
  Search(const PairTable &table, unsigned shift, int64_t low, int64_t high)
      : table(table), shift(shift), low(low), high(high) {
    demandNoOverflow();
    forCorners([&](int64_t a, int64_t b) {
      demand({a, b, /*isLower=*/true});
      demand({a, b, /*isLower=*/false});
    });
  }

  std::optional<AffineShift> find() {
    constexpr int mostRounds = 200; // about ten are usual
    for (int round = 0; round < mostRounds; ++round) {
      auto point = simplex.getRationalSample();
      if (!point)
        return std::nullopt;
      size_t before = demanded.size();
      AffineShift x = candidate([&](unsigned i) { return floor((*point)[i] + Fraction(1, 2)); });
      if (equals(x))
        return x;
      if (demanded.size() > before)
        continue;
      unsigned snapshot = simplex.getSnapshot();
      auto whole = simplex.findIntegerSample();
      simplex.rollback(snapshot);
      if (!whole)
        return std::nullopt;
      x = candidate([&](unsigned i) { return (*whole)[i]; });
      if (equals(x))
        return x;
    }
    return std::nullopt;
  }

private:
  /// The sum at (a, b) reaches the step of the entry, or stays below the next one.
  struct Demand {
    int64_t a, b;
    bool isLower;
    bool operator<(const Demand &other) const {
      return std::tie(a, b, isLower) < std::tie(other.a, other.b, other.isLower);
    }
  };

  template <class Coordinate>
  AffineShift candidate(Coordinate at) const {
    return {{int64_t(at(0)), int64_t(at(1))}, int64_t(at(2)), shift, low, high};
  }

  template <class Visit>
  void forCorners(Visit visit) const {
    for (int64_t a : {table.inputs[0].low, table.inputs[0].high()})
      for (int64_t b : {table.inputs[1].low, table.inputs[1].high()})
        visit(a, b);
  }

  /// f0 * factors[0] + f1 * factors[1] + g * offset + number >= 0
  void atLeast(int64_t f0, int64_t f1, int64_t g, int64_t number) {
    simplex.addInequality(getDynamicAPIntVec({f0, f1, g, number}));
  }
  void fitsWord(int64_t f0, int64_t f1, int64_t g) {
    constexpr int64_t limit = int64_t(1) << 31;
    atLeast(f0, f1, g, limit);
    atLeast(-f0, -f1, -g, limit - 1);
  }
  void demandNoOverflow() {
    fitsWord(1, 0, 0);
    fitsWord(0, 1, 0);
    fitsWord(0, 0, 1);
    forCorners([&](int64_t a, int64_t b) {
      fitsWord(a, 0, 0);
      fitsWord(a, 0, 1);
      fitsWord(0, b, 0);
      fitsWord(a, b, 1);
    });
  }

  void demand(const Demand &d) {
    int64_t result = table.results[(d.a - table.inputs[0].low) * table.inputs[1].count + d.b - table.inputs[1].low];
    if (result == (d.isLower ? low : high) || !demanded.insert(d).second) // behind the limits any sum will do
      return;
    if (d.isLower)
      atLeast(d.a, d.b, 1, -(result << shift));
    else
      atLeast(-d.a, -d.b, -1, ((result + 1) << shift) - 1);
  }

  /// Demands what x breaks most, from below and from above; true where it breaks nothing.
  bool equals(const AffineShift &x) {
    int64_t below = 0, above = 0;
    Demand lower{0, 0, true}, upper{0, 0, false};
    const int32_t *result = table.results.data();
    for (int64_t a = table.inputs[0].low; a <= table.inputs[0].high(); ++a)
      for (int64_t b = table.inputs[1].low; b <= table.inputs[1].high(); ++b, ++result) {
        int64_t behind = x.sum(a, b) - (int64_t(*result) << shift);
        if (*result != low && -behind > below) {
          below = -behind;
          lower = {a, b, true};
        }
        if (*result != high && behind - (int64_t(1) << shift) + 1 > above) {
          above = behind - (int64_t(1) << shift) + 1;
          upper = {a, b, false};
        }
      }
    if (below > 0)
      demand(lower);
    if (above > 0)
      demand(upper);
    bool fits = true;
    forCorners([&](int64_t a, int64_t b) {
      for (int64_t part : {a * x.factors[0], a * x.factors[0] + x.offset, b * x.factors[1], x.sum(a, b)})
        fits &= part == static_cast<int32_t>(part);
    });
    return below == 0 && above == 0 && fits;
  }

  const PairTable &table;
  unsigned shift;
  int64_t low, high;
  std::set<Demand> demanded;
  Simplex simplex{3};
};

bool areEqual(const AffineShift &x, const PairTable &table) {
  const int32_t *result = table.results.data();
  for (int64_t a = table.inputs[0].low; a <= table.inputs[0].high(); ++a)
    for (int64_t b = table.inputs[1].low; b <= table.inputs[1].high(); ++b)
      if (x.at(a, b) != *result++)
        return false;
  return true;
}

/// Limits of a byte, where results are such.
AffineShift withByteLimits(const AffineShift &x, const PairTable &table) {
  bool isUnsigned = x.high > 127;
  for (bool both : {true, false})
    for (bool isLow : {true, false}) {
      AffineShift wider = x;
      if (both || isLow)
        wider.low = isUnsigned ? 0 : -128;
      if (both || !isLow)
        wider.high = isUnsigned ? 255 : 127;
      if (wider.low <= x.low && wider.high >= x.high && areEqual(wider, table))
        return wider;
    }
  return x;
}

} // namespace

std::optional<AffineShift> affineShiftOf(const PairTable &table) {
  auto [low, high] = std::minmax_element(table.results.begin(), table.results.end());
  constexpr int least = 8, most = 30; // below, factors of bytes would have too few bits to say anything
  for (int shift = most; shift >= least; --shift)
    if ((int64_t(*high) - *low) << shift < int64_t(1) << 32)
      if (std::optional<AffineShift> x = Search(table, shift, *low, *high).find())
        return withByteLimits(*x, table);
  return std::nullopt;
}

} // namespace sinter
