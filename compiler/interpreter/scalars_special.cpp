// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions whose operands and results differ in type: comparison, selection, parts of complex numbers, double-width
// integer results.
#include "scalars.h"

#include "ir/dialect.h"

#include <cmath>
#include <complex>

using namespace mlir;
using namespace sinter;

namespace {

template <class T, class Predicate>
void compare(const Instruction &instruction, size_t n) {
  auto *a = reinterpret_cast<const T *>(instruction.in[0]);
  auto *b = reinterpret_cast<const T *>(instruction.in[1]);
  for (size_t i = 0; i < n; ++i)
    instruction.out[i] = Predicate::holds(a[i], b[i]);
}

#define PREDICATE(name, expr)                                                                                          \
  struct name {                                                                                                        \
    template <class T>                                                                                                 \
    static bool holds(T a, T b) {                                                                                      \
      return expr;                                                                                                     \
    }                                                                                                                  \
  }
PREDICATE(Never, ((void)a, (void)b, false));
PREDICATE(Always, ((void)a, (void)b, true));
PREDICATE(Equal, a == b);
PREDICATE(NotEqual, a != b);
PREDICATE(Less, a < b);
PREDICATE(LessEqual, a <= b);
PREDICATE(Greater, a > b);
PREDICATE(GreaterEqual, a >= b);
// the float predicates that differ from C's on NaN
PREDICATE(OrderedNotEqual, a<b || a> b);
PREDICATE(Ordered, a == a && b == b);
PREDICATE(Unordered, a != a || b != b);
PREDICATE(UnorderedEqual, !(a < b || a > b));
PREDICATE(UnorderedLess, !(a >= b));
PREDICATE(UnorderedLessEqual, !(a > b));
PREDICATE(UnorderedGreater, !(a <= b));
PREDICATE(UnorderedGreaterEqual, !(a < b));
#undef PREDICATE

template <class Signed>
Instruction::Run integerComparison(arith::CmpIPredicate predicate) {
  using Unsigned = std::make_unsigned_t<Signed>;
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return compare<Signed, Equal>;
  case arith::CmpIPredicate::ne:
    return compare<Signed, NotEqual>;
  case arith::CmpIPredicate::slt:
    return compare<Signed, Less>;
  case arith::CmpIPredicate::sle:
    return compare<Signed, LessEqual>;
  case arith::CmpIPredicate::sgt:
    return compare<Signed, Greater>;
  case arith::CmpIPredicate::sge:
    return compare<Signed, GreaterEqual>;
  case arith::CmpIPredicate::ult:
    return compare<Unsigned, Less>;
  case arith::CmpIPredicate::ule:
    return compare<Unsigned, LessEqual>;
  case arith::CmpIPredicate::ugt:
    return compare<Unsigned, Greater>;
  case arith::CmpIPredicate::uge:
    return compare<Unsigned, GreaterEqual>;
  }
  return nullptr;
}

template <class T>
Instruction::Run floatComparison(arith::CmpFPredicate predicate) {
  static const Instruction::Run runs[] = {compare<T, Never>,
                                          compare<T, Equal>,
                                          compare<T, Greater>,
                                          compare<T, GreaterEqual>,
                                          compare<T, Less>,
                                          compare<T, LessEqual>,
                                          compare<T, OrderedNotEqual>,
                                          compare<T, Ordered>,
                                          compare<T, UnorderedEqual>,
                                          compare<T, UnorderedGreater>,
                                          compare<T, UnorderedGreaterEqual>,
                                          compare<T, UnorderedLess>,
                                          compare<T, UnorderedLessEqual>,
                                          compare<T, NotEqual>,
                                          compare<T, Unordered>,
                                          compare<T, Always>};
  static_assert(static_cast<int>(arith::CmpFPredicate::UEQ) == 8 &&
                static_cast<int>(arith::CmpFPredicate::AlwaysTrue) == 15);
  return runs[static_cast<size_t>(predicate)];
}

template <size_t Bytes>
void selectLanes(const Instruction &instruction, size_t n) {
  for (size_t i = 0; i < n; ++i)
    std::memcpy(instruction.out + i * Bytes, instruction.in[instruction.in[0][i] ? 1 : 2] + i * Bytes, Bytes);
}

template <class R, ComplexPart Part>
void complexPart(const Instruction &instruction, size_t n) {
  auto *out = reinterpret_cast<R *>(instruction.out);
  auto *a = reinterpret_cast<const R *>(instruction.in[0]);
  auto *b = reinterpret_cast<const R *>(instruction.in[1]);
  for (size_t i = 0; i < n; ++i) {
    if constexpr (Part == ComplexPart::Create) {
      out[2 * i] = a[i];
      out[2 * i + 1] = b[i];
    } else {
      R re = a[2 * i], im = a[2 * i + 1];
      out[i] = Part == ComplexPart::Re    ? re
               : Part == ComplexPart::Im  ? im
               : Part == ComplexPart::Abs ? std::hypot(re, im)
                                          : std::atan2(im, re);
    }
  }
}

template <class R>
Instruction::Run complexPartOf(ComplexPart part) {
  switch (part) {
  case ComplexPart::Create:
    return complexPart<R, ComplexPart::Create>;
  case ComplexPart::Re:
    return complexPart<R, ComplexPart::Re>;
  case ComplexPart::Im:
    return complexPart<R, ComplexPart::Im>;
  case ComplexPart::Abs:
    return complexPart<R, ComplexPart::Abs>;
  case ComplexPart::Angle:
    return complexPart<R, ComplexPart::Angle>;
  }
  return nullptr;
}

template <class T, class Double>
void highProduct(const Instruction &instruction, size_t n) {
  auto *out = reinterpret_cast<T *>(instruction.out);
  auto *a = reinterpret_cast<const T *>(instruction.in[0]);
  auto *b = reinterpret_cast<const T *>(instruction.in[1]);
  for (size_t i = 0; i < n; ++i)
    out[i] = static_cast<T>((static_cast<Double>(a[i]) * static_cast<Double>(b[i])) >> (8 * sizeof(T)));
}

template <class T>
void carry(const Instruction &instruction, size_t n) {
  auto *a = reinterpret_cast<const T *>(instruction.in[0]);
  auto *b = reinterpret_cast<const T *>(instruction.in[1]);
  for (size_t i = 0; i < n; ++i)
    instruction.out[i] = static_cast<T>(a[i] + b[i]) < a[i];
}

} // namespace

Instruction::Run sinter::findComparison(ElementKind kind, int64_t predicate) {
  auto integer = static_cast<arith::CmpIPredicate>(predicate);
  switch (kind) {
  case ElementKind::I8:
    return integerComparison<int8_t>(integer);
  case ElementKind::I16:
    return integerComparison<int16_t>(integer);
  case ElementKind::I32:
    return integerComparison<int32_t>(integer);
  case ElementKind::I64:
    return integerComparison<int64_t>(integer);
  case ElementKind::F32:
    return floatComparison<float>(static_cast<arith::CmpFPredicate>(predicate));
  case ElementKind::F64:
    return floatComparison<double>(static_cast<arith::CmpFPredicate>(predicate));
  case ElementKind::C64:
    return predicate == 0 ? compare<std::complex<float>, Equal> : compare<std::complex<float>, NotEqual>;
  case ElementKind::C128:
    return predicate == 0 ? compare<std::complex<double>, Equal> : compare<std::complex<double>, NotEqual>;
  default:
    return nullptr;
  }
}

Instruction::Run sinter::findSelect(size_t bytes) {
  switch (bytes) {
  case 1:
    return selectLanes<1>;
  case 2:
    return selectLanes<2>;
  case 4:
    return selectLanes<4>;
  case 8:
    return selectLanes<8>;
  case 16:
    return selectLanes<16>;
  default:
    return nullptr;
  }
}

Instruction::Run sinter::findComplexPart(ElementKind complexKind, ComplexPart part) {
  return complexKind == ElementKind::C64    ? complexPartOf<float>(part)
         : complexKind == ElementKind::C128 ? complexPartOf<double>(part)
                                            : nullptr;
}

Instruction::Run sinter::findHighProduct(ElementKind kind, bool isSigned) {
  switch (kind) {
  case ElementKind::I8:
    return isSigned ? highProduct<int8_t, int32_t> : highProduct<uint8_t, uint32_t>;
  case ElementKind::I16:
    return isSigned ? highProduct<int16_t, int32_t> : highProduct<uint16_t, uint32_t>;
  case ElementKind::I32:
    return isSigned ? highProduct<int32_t, int64_t> : highProduct<uint32_t, uint64_t>;
  case ElementKind::I64:
    return isSigned ? highProduct<int64_t, __int128> : highProduct<uint64_t, unsigned __int128>;
  default:
    return nullptr;
  }
}

Instruction::Run sinter::findCarry(ElementKind kind) {
  switch (kind) {
  case ElementKind::I8:
    return carry<uint8_t>;
  case ElementKind::I16:
    return carry<uint16_t>;
  case ElementKind::I32:
    return carry<uint32_t>;
  case ElementKind::I64:
    return carry<uint64_t>;
  default:
    return nullptr;
  }
}
