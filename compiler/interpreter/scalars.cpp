// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of scalar_ops.def as loops over lanes. Comparison, selection, complex parts: scalars_special.cpp.
#include "scalars.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>
#include <complex>
#include <limits>

using namespace mlir;
using namespace sinter;

namespace {

template <class W>
W wrapNegate(W a) {
  return static_cast<W>(0 - static_cast<std::make_unsigned_t<W>>(a));
}
template <class W>
W divide(W a, W b) {
  return b == 0 ? 0 : b == -1 ? wrapNegate(a) : a / b;
}
template <class W>
W integerRemainder(W a, W b) {
  return b == 0 || b == -1 ? 0 : a % b;
}
template <class W>
unsigned leadingZeros(W a, unsigned bits) {
  return a ? static_cast<unsigned>(__builtin_clzll(a)) - (64 - bits) : bits;
}
template <class W>
unsigned trailingZeros(W a, unsigned bits) {
  return a ? static_cast<unsigned>(__builtin_ctzll(a)) : bits;
}
/// Negative exponents as math.ipowi has them: 1/a truncated, of 0 as division by zero.
template <class W>
W power(W a, W b) {
  using U = std::make_unsigned_t<W>;
  if (b < 0)
    return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
  U result = 1, base = static_cast<U>(a);
  for (U n = static_cast<U>(b); n; n >>= 1, base *= base)
    if (n & 1)
      result *= base;
  return static_cast<W>(result);
}

/// Integers are computed with at least 32 bits, so that the compiler's promotion to int never decides signedness.
template <class T>
using Wide = std::conditional_t<sizeof(T) >= 4, T, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>;

#define INT(dialect, Op, Sign, arity, expr)                                                                            \
  struct dialect##Op {                                                                                                 \
    template <class T, class W>                                                                                        \
    static T compute(W a, [[maybe_unused]] W b, W) {                                                                   \
      [[maybe_unused]] constexpr unsigned bits = sizeof(T) * 8;                                                        \
      return static_cast<T>(expr);                                                                                     \
    }                                                                                                                  \
  };
#define FLOAT(dialect, Op, arity, expr)                                                                                \
  struct dialect##Op {                                                                                                 \
    template <class T, class W>                                                                                        \
    static T compute(W a, [[maybe_unused]] W b, [[maybe_unused]] W c) {                                                \
      return expr;                                                                                                     \
    }                                                                                                                  \
  };
#define COMPLEX(dialect, Op, arity, expr)                                                                              \
  struct dialect##Op {                                                                                                 \
    template <class T, class W>                                                                                        \
    static T compute(W a, [[maybe_unused]] W b, W) {                                                                   \
      using R [[maybe_unused]] = typename T::value_type;                                                               \
      return expr;                                                                                                     \
    }                                                                                                                  \
  };
#include "scalar_ops.def"
#undef INT
#undef FLOAT
#undef COMPLEX

/// Registers are aligned for their type; an operand that is not there is read as the first one.
template <class F, class T, class W, unsigned Arity>
void scalarLanes(const Instruction &instruction, size_t n) {
  auto *out = reinterpret_cast<T *>(instruction.out);
  auto *a = reinterpret_cast<const T *>(instruction.in[0]);
  auto *b = reinterpret_cast<const T *>(instruction.in[Arity > 1]);
  auto *c = reinterpret_cast<const T *>(instruction.in[Arity > 2 ? 2 : 0]);
  for (size_t i = 0; i < n; ++i)
    out[i] = F::template compute<T, W>(static_cast<W>(a[i]), static_cast<W>(b[i]), static_cast<W>(c[i]));
}

template <class F, class T, unsigned Arity>
constexpr Instruction::Run intLanes = scalarLanes<F, T, Wide<T>, Arity>;

using S = std::integral_constant<bool, true>;
using U = std::integral_constant<bool, false>;

template <class F, class Sign, unsigned Arity>
ScalarOp intOp() {
  if constexpr (Sign::value)
    return {ScalarOp::Int,
            true,
            Arity,
            {intLanes<F, int8_t, Arity>, intLanes<F, int16_t, Arity>, intLanes<F, int32_t, Arity>,
             intLanes<F, int64_t, Arity>}};
  else
    return {ScalarOp::Int,
            false,
            Arity,
            {intLanes<F, uint8_t, Arity>, intLanes<F, uint16_t, Arity>, intLanes<F, uint32_t, Arity>,
             intLanes<F, uint64_t, Arity>}};
}

llvm::StringMap<ScalarOp> makeScalarTable() {
  llvm::StringMap<ScalarOp> table;
#define INT(dialect, Op, Sign, arity, expr) table[dialect::Op::getOperationName()] = intOp<dialect##Op, Sign, arity>();
#define FLOAT(dialect, Op, arity, expr)                                                                                \
  table[dialect::Op::getOperationName()] = {                                                                           \
      ScalarOp::Float,                                                                                                 \
      true,                                                                                                            \
      arity,                                                                                                           \
      {scalarLanes<dialect##Op, float, float, arity>, scalarLanes<dialect##Op, double, double, arity>}};
#define COMPLEX(dialect, Op, arity, expr)                                                                              \
  table[dialect::Op::getOperationName()] = {                                                                           \
      ScalarOp::Complex,                                                                                               \
      true,                                                                                                            \
      arity,                                                                                                           \
      {scalarLanes<dialect##Op, std::complex<float>, std::complex<float>, arity>,                                      \
       scalarLanes<dialect##Op, std::complex<double>, std::complex<double>, arity>}};
#include "scalar_ops.def"
#undef INT
#undef FLOAT
#undef COMPLEX
  return table;
}

} // namespace

Instruction::Run ScalarOp::runFor(ElementKind kind) const {
  switch (family) {
  case Int:
    return kind >= ElementKind::I8 && kind <= ElementKind::I64
               ? runs[static_cast<int>(kind) - static_cast<int>(ElementKind::I8)]
               : nullptr;
  case Float:
    return kind == ElementKind::F32 ? runs[0] : kind == ElementKind::F64 ? runs[1] : nullptr;
  case Complex:
    return kind == ElementKind::C64 ? runs[0] : kind == ElementKind::C128 ? runs[1] : nullptr;
  }
  llvm_unreachable("unknown family");
}

const ScalarOp *sinter::findScalarOp(StringRef op) {
  if (const ScalarOp *function = findMathFunction(op))
    return function;
  static const llvm::StringMap<ScalarOp> table = makeScalarTable();
  auto found = table.find(op);
  return found == table.end() ? nullptr : &found->second;
}
