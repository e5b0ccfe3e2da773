// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The very functions that generated code calls, for sinter.apply and the math dialect, so that a value computed here is
// the value computed there. interpreted_functions.{h,inc} are made at configure time (cmake/SinterLists.cmake) from
// codegen's lists.
#include "scalars.h"

#include "interpreted_functions.h" // the templates' headers

#include "llvm/ADT/StringMap.h"

namespace sinter {
namespace {

#define SINTER_INTERPRETED(id, name, Family, arity, expr)                                                              \
  struct id {                                                                                                          \
    template <class V>                                                                                                 \
    static V compute([[maybe_unused]] V a, [[maybe_unused]] V b, [[maybe_unused]] V c) {                               \
      return V(expr);                                                                                                  \
    }                                                                                                                  \
  };
#include "interpreted_functions.inc"
#undef SINTER_INTERPRETED

/// Operands that are not there are read as the first one.
template <class F, class T, unsigned Arity>
void lanes(const Instruction &instruction, size_t n) {
  auto *out = reinterpret_cast<T *>(instruction.out);
  auto *a = reinterpret_cast<const T *>(instruction.in[0]);
  auto *b = reinterpret_cast<const T *>(instruction.in[Arity > 1]);
  auto *c = reinterpret_cast<const T *>(instruction.in[Arity > 2 ? 2 : 0]);
  for (size_t i = 0; i < n; ++i)
    out[i] = F::template compute<T>(a[i], b[i], c[i]);
}

struct Float {
  template <class F, unsigned Arity>
  static ScalarOp op() {
    return {ScalarOp::Float, true, Arity, {lanes<F, float, Arity>, lanes<F, double, Arity>}};
  }
};
struct Int {
  template <class F, unsigned Arity>
  static ScalarOp op() {
    return {ScalarOp::Int,
            true,
            Arity,
            {lanes<F, int8_t, Arity>, lanes<F, int16_t, Arity>, lanes<F, int32_t, Arity>, lanes<F, int64_t, Arity>}};
  }
};

llvm::StringMap<ScalarOp> makeFunctions() {
  llvm::StringMap<ScalarOp> functions;
#define SINTER_INTERPRETED(id, name, Family, arity, expr) functions[name] = Family::op<id, arity>();
#include "interpreted_functions.inc"
#undef SINTER_INTERPRETED
  return functions;
}

const ScalarOp *find(llvm::StringRef name) {
  static const llvm::StringMap<ScalarOp> functions = makeFunctions();
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : &found->second;
}

} // namespace

const ScalarOp *findScalarFunction(llvm::StringRef name) { return name.contains('.') ? nullptr : find(name); }
const ScalarOp *findMathFunction(llvm::StringRef op) { return op.starts_with("math.") ? find(op) : nullptr; }

} // namespace sinter
