// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "index_ranges.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// constant + the sum of factor * term, whose terms are dims, quotients and rests.
struct IndexSum {
  int64_t constant = 0;
  SmallVector<std::pair<AffineExpr, int64_t>> terms;

  void add(AffineExpr term, int64_t factor) {
    auto *known = llvm::find_if(terms, [&](const auto &other) { return other.first == term; });
    if (known == terms.end())
      terms.push_back({term, factor});
    else if ((known->second += factor) == 0)
      terms.erase(known);
  }
  void add(const IndexSum &other, int64_t factor) {
    constant += factor * other.constant;
    for (auto [term, own] : other.terms)
      add(term, factor * own);
  }
};

class RangeSimplifier {
public:
  explicit RangeSimplifier(ArrayRef<int64_t> sizes) : sizes(sizes) {}

  IndexSum sumOf(AffineExpr expr) {
    IndexSum sum;
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      sum.constant = constant.getValue();
    } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (sizes[dim.getPosition()] > 1)
        sum.add(expr, 1);
    } else if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
      auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
      IndexSum left = sumOf(binary.getLHS());
      if (expr.getKind() == AffineExprKind::Add) {
        sum = left;
        sum.add(sumOf(binary.getRHS()), 1);
        joinQuotients(sum);
      } else if (expr.getKind() == AffineExprKind::Mul && right) {
        sum.add(left, right.getValue());
      } else if (right && right.getValue() > 0 &&
                 (expr.getKind() == AffineExprKind::FloorDiv || expr.getKind() == AffineExprKind::Mod)) {
        sum = divided(left, right.getValue(), expr.getKind() == AffineExprKind::Mod);
      } else {
        sum.add(expr, 1);
      }
    } else {
      sum.add(expr, 1);
    }
    return sum;
  }

  AffineExpr exprOf(const IndexSum &sum, MLIRContext *context) {
    AffineExpr expr = getAffineConstantExpr(sum.constant, context);
    for (auto [term, factor] : sum.terms)
      expr = expr + term * factor;
    return expr;
  }

private:
  /// sum / by or sum % by. What `by` divides is a quotient by itself; of the rest only the range may say something.
  IndexSum divided(const IndexSum &sum, int64_t by, bool wantsRest) {
    IndexSum quotient, rest;
    quotient.constant = llvm::divideFloorSigned(sum.constant, by);
    rest.constant = llvm::mod(sum.constant, by);
    for (auto [term, factor] : sum.terms)
      if (factor % by == 0)
        quotient.add(term, factor / by);
      else
        rest.add(term, factor);
    auto [low, high] = rangeOf(rest);
    bool isLess = low >= 0 && high < by;
    if (wantsRest && isLess)
      return rest;
    if (!isLess) {
      AffineExpr inner = exprOf(rest, rest.terms.front().first.getContext());
      IndexSum result = wantsRest ? IndexSum() : quotient;
      result.add(wantsRest ? inner % by : inner.floorDiv(by), 1);
      return result;
    }
    return quotient;
  }

  /// by * (x / by) + x % by is x.
  void joinQuotients(IndexSum &sum) {
    for (size_t i = 0; i < sum.terms.size(); ++i) {
      auto [term, factor] = sum.terms[i];
      auto rest = dyn_cast<AffineBinaryOpExpr>(term);
      auto by = rest && rest.getKind() == AffineExprKind::Mod ? dyn_cast<AffineConstantExpr>(rest.getRHS())
                                                              : AffineConstantExpr();
      if (!by)
        continue;
      AffineExpr quotient = rest.getLHS().floorDiv(by.getValue());
      for (size_t j = 0; j < sum.terms.size(); ++j) {
        if (sum.terms[j].first != quotient || sum.terms[j].second != factor * by.getValue())
          continue;
        sum.terms.erase(sum.terms.begin() + std::max(i, j));
        sum.terms.erase(sum.terms.begin() + std::min(i, j));
        sum.add(sumOf(rest.getLHS()), factor);
        return joinQuotients(sum);
      }
    }
  }

  using Range = std::pair<int64_t, int64_t>;
  Range rangeOf(AffineExpr term) {
    if (auto dim = dyn_cast<AffineDimExpr>(term))
      return {0, sizes[dim.getPosition()] - 1};
    auto binary = dyn_cast<AffineBinaryOpExpr>(term);
    auto by = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
    if (by && binary.getKind() == AffineExprKind::Mod)
      return {0, by.getValue() - 1};
    if (by && binary.getKind() == AffineExprKind::FloorDiv) {
      auto [low, high] = rangeOf(sumOf(binary.getLHS()));
      if (low > -kUnknown && high < kUnknown)
        return {llvm::divideFloorSigned(low, by.getValue()), llvm::divideFloorSigned(high, by.getValue())};
    }
    return {-kUnknown, kUnknown};
  }
  Range rangeOf(const IndexSum &sum) {
    Range range{sum.constant, sum.constant};
    for (auto [term, factor] : sum.terms) {
      auto [low, high] = rangeOf(term);
      if (low <= -kUnknown || high >= kUnknown)
        return {-kUnknown, kUnknown};
      range.first += std::min(low * factor, high * factor);
      range.second += std::max(low * factor, high * factor);
    }
    return range;
  }
  static constexpr int64_t kUnknown = int64_t(1) << 60;

  ArrayRef<int64_t> sizes;
};

} // namespace

AffineExpr simplifiedWithin(AffineExpr expr, ArrayRef<int64_t> sizes) {
  RangeSimplifier simplifier(sizes);
  return simplifier.exprOf(simplifier.sumOf(expr), expr.getContext());
}

} // namespace sinter
