// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The very functions that generated code calls, for sinter.apply and the math dialect: ir/scalar_functions.def.
#include "scalars.h"

#include "runtime-lite/fixed_point.h"
#include "runtime-lite/scalar.h"
#include "templates/math/math_erf.h"
#include "templates/math/math_exp.h"
#include "templates/math/math_hyperbolic.h"
#include "templates/math/math_log.h"
#include "templates/math/math_pow.h"
#include "templates/math/math_round.h"
#include "templates/math/math_trig.h"

#include "llvm/ADT/StringMap.h"

namespace sinter {
namespace {

/// Calls with as many operands as F takes.
template <class F, class T, unsigned Operands>
void functionLanes(const Instruction &instruction, size_t n) {
  auto *out = reinterpret_cast<T *>(instruction.out);
  auto in = [&](unsigned operand) { return reinterpret_cast<const T *>(instruction.in[operand]); };
  for (size_t i = 0; i < n; ++i)
    if constexpr (Operands == 1)
      out[i] = T(F()(in(0)[i]));
    else if constexpr (Operands == 2)
      out[i] = T(F()(in(0)[i], in(1)[i]));
    else
      out[i] = T(F()(in(0)[i], in(1)[i], in(2)[i]));
}

#define SINTER_SCALAR_FUNCTION(function, operands, family, applied, math, header)                                      \
  struct Call_##function {                                                                                             \
    template <class... V>                                                                                              \
    auto operator()(V... x) const {                                                                                    \
      return function(x...);                                                                                           \
    }                                                                                                                  \
  };
#include "ir/scalar_functions.def"
#undef SINTER_SCALAR_FUNCTION

struct Float {
  template <class F, unsigned Arity>
  static ScalarOp op() {
    return {ScalarOp::Float, true, Arity, {functionLanes<F, float, Arity>, functionLanes<F, double, Arity>}};
  }
};
struct Int {
  template <class F, unsigned Arity>
  static ScalarOp op() {
    return {ScalarOp::Int,
            true,
            Arity,
            {functionLanes<F, int8_t, Arity>, functionLanes<F, int16_t, Arity>, functionLanes<F, int32_t, Arity>,
             functionLanes<F, int64_t, Arity>}};
  }
};

llvm::StringMap<ScalarOp> makeFunctions() {
  llvm::StringMap<ScalarOp> functions;
#define SINTER_SCALAR_FUNCTION(function, operands, family, applied, math, header)                                      \
  for (llvm::StringRef name : {applied, math})                                                                         \
    if (!name.empty())                                                                                                 \
      functions[name] = family::op<Call_##function, operands>();
#include "ir/scalar_functions.def"
#undef SINTER_SCALAR_FUNCTION
  return functions;
}

const ScalarOp *lookUpScalarOp(llvm::StringRef name) {
  static const llvm::StringMap<ScalarOp> functions = makeFunctions();
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : &found->second;
}

} // namespace

const ScalarOp *findScalarFunction(llvm::StringRef name) { return name.contains('.') ? nullptr : lookUpScalarOp(name); }
const ScalarOp *findMathFunction(llvm::StringRef op) { return op.starts_with("math.") ? lookUpScalarOp(op) : nullptr; }

} // namespace sinter
