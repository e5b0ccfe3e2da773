// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pow: the result has the base's type. Integer bases with integer exponents are exact (modulo their width); with float
// exponents computed in double.
#include "ops/legacy_broadcast.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {

namespace {
/// Whole exponents that are a product or, of floats, a quotient, as squares in norms are.
Value smallPower(const Scalars &s, Value x, double exponent) {
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return s.mul(x, x);
  if (exponent == 3)
    return s.mul(s.mul(x, x), x);
  if (exponent == -1 && s.isFloat())
    return s.div(s.constant(1), x);
  return nullptr;
}
} // namespace

void register_pow(Registry &registry) {
  registry.onOp("Pow", {1, 7, 12, 13, 15}, "X[S~] Y[S~]|{broadcast}[_*]", [](Op &op) {
    Tensor base = op.input(0), exponent = op.input(1);
    if (std::optional<HostTensor> host = op.contents(1);
        host && host->size() && (isFloat(base.element) || isInteger(exponent.element))) {
      double first = host->numberAt(0);
      bool same = true;
      for (int64_t i = 1; i < host->size() && same; ++i)
        same = host->numberAt(i) == first;
      bool isProduct = first == 1 || first == 2 || first == 3 || (first == -1 && isFloat(base.element));
      if (same && isProduct && exponent.rank() <= base.rank() &&
          llvm::all_of(exponent.shape(), [](int64_t d) { return d == 1; }))
        return op.resultUnary([&](const Scalars &s, Value x) { return smallPower(s, x, first); });
    }
    return resultBroadcasting(op, base.element, [&](const Scalars &s, ValueRange v) -> Value {
      Scalars y{s.b, s.loc, exponent.element};
      if (s.isFloat())
        return s.b.create<math::PowFOp>(s.loc, v[0], y.castTo(base.element, v[1]));
      ElementType wide = y.isFloat() ? ElementType::Double : ElementType::Int64;
      Scalars w{s.b, s.loc, wide};
      Value a = s.castTo(wide, v[0]), b = y.castTo(wide, v[1]);
      Value power = y.isFloat() ? s.b.create<math::PowFOp>(s.loc, a, b).getResult()
                                : s.b.create<math::IPowIOp>(s.loc, a, b).getResult();
      return w.castTo(base.element, power);
    });
  });
}

} // namespace sinter
