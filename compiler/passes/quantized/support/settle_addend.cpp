// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "settle_addend.h"

#include <cmath>

using namespace mlir;

namespace sinter {

bool settleAddend(Requantize &known, const ElementBody &body, OpBuilder &b, Location loc, EvaluationCache &cache) {
  if (known.terms.size() != 1 || !known.addend || !known.terms[0].value.getType().isInteger(32))
    return false;
  RequantizeTerm &term = known.terms[0];
  auto numbers = [&](Value value, double absent) {
    return value ? knownFactor(value, body, cache) : std::optional(KnownFactor::one(absent));
  };
  std::optional<KnownFactor> addend = knownFactor(known.addend, body, cache), factor = numbers(term.factor, 1),
                             bias = numbers(term.bias, 0);
  if (!addend || !factor || !bias)
    return false;
  double first = addend->values[0];
  if (addend->all([&](double v) { return v == first && v == std::floor(v) && std::fabs(v) < 0x1p20; })) {
    auto whole = static_cast<int64_t>(first);
    known.zero += whole;
    known.low -= whole;
    known.high -= whole;
  } else {
    std::optional<KnownFactor> steps =
        combined(*addend, *factor, [](double v, double f) { return f > 0 ? std::nearbyint(v / f) : HUGE_VAL; });
    bias = steps ? combined(*bias, *steps, [](double u, double v) { return u + v; }) : std::nullopt;
    if (!bias || !bias->all([](double v) { return std::fabs(v) < 0x1p30; }))
      return false;
    term.bias =
        bias->isOne()
            ? b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(static_cast<int32_t>(bias->values[0]))).getResult()
            : bias->appendTo(body, b.getI32Type());
  }
  known.addend = {};
  return true;
}

} // namespace sinter
