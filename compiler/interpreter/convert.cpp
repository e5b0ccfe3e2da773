// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between element kinds, and what kinds there are. A conversion reads a kind as a C++ value and writes that
// value as another kind.
#include "element_kind.h"
#include "small_floats.h"

#include "ir/dialect.h"
#include "runtime-lite/half.h"

#include <array>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

using namespace mlir;
using namespace sinter;

std::optional<ElementKind> sinter::elementKind(Type type) {
  if (isa<IndexType>(type))
    return ElementKind::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return ElementKind::I1;
    if (width >= 2 && width <= 8)
      return ElementKind::I8;
    return width == 16   ? std::optional(ElementKind::I16)
           : width == 32 ? std::optional(ElementKind::I32)
           : width == 64 ? std::optional(ElementKind::I64)
                         : std::nullopt;
  }
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32()   ? std::optional(ElementKind::C64)
           : complex.getElementType().isF64() ? std::optional(ElementKind::C128)
                                              : std::nullopt;
  return llvm::TypeSwitch<Type, std::optional<ElementKind>>(type)
      .Case<Float8E4M3FNType>([](auto) { return ElementKind::F8E4M3FN; })
      .Case<Float8E4M3FNUZType>([](auto) { return ElementKind::F8E4M3FNUZ; })
      .Case<Float8E5M2Type>([](auto) { return ElementKind::F8E5M2; })
      .Case<Float8E5M2FNUZType>([](auto) { return ElementKind::F8E5M2FNUZ; })
      .Case<Float16Type>([](auto) { return ElementKind::F16; })
      .Case<BFloat16Type>([](auto) { return ElementKind::BF16; })
      .Case<Float32Type>([](auto) { return ElementKind::F32; })
      .Case<Float64Type>([](auto) { return ElementKind::F64; })
      .Case<StringType>([](auto) { return ElementKind::String; })
      .Default([](auto) { return std::nullopt; });
}

size_t sinter::elementBytes(ElementKind kind) {
  switch (kind) {
  case ElementKind::I16:
  case ElementKind::F16:
  case ElementKind::BF16:
    return 2;
  case ElementKind::I32:
  case ElementKind::F32:
    return 4;
  case ElementKind::I64:
  case ElementKind::F64:
  case ElementKind::C64:
    return 8;
  case ElementKind::C128:
    return 16;
  case ElementKind::String:
    return sizeof(std::string);
  default:
    return 1;
  }
}

ElementKind sinter::computeKind(ElementKind kind) {
  if (kind == ElementKind::I1)
    return ElementKind::I8;
  return isFloatKind(kind) && kind < ElementKind::F32 ? ElementKind::F32 : kind;
}

namespace {

template <class Format, class Bits>
struct Small {
  using Value = float;
  static constexpr size_t bytes = sizeof(Bits);
  static Value load(const char *p) {
    Bits bits;
    std::memcpy(&bits, p, sizeof bits);
    if constexpr (sizeof(Bits) == 1) {
      static const std::array<float, 256> table = [] {
        std::array<float, 256> values{};
        for (uint32_t i = 0; i < 256; ++i)
          values[i] = static_cast<float>(Format::decode(i));
        return values;
      }();
      return table[bits];
    } else {
      uint32_t wide =
          std::is_same_v<Format, BF16Format> ? bf16ToFloatBits<uint32_t>(bits) : f16ToFloatBits<uint32_t>(bits);
      float value;
      std::memcpy(&value, &wide, sizeof value);
      return value;
    }
  }
  template <class From>
  static void store(char *p, From value) {
    Bits bits;
    if constexpr (sizeof(Bits) == 2 && std::is_same_v<From, float>) {
      uint32_t wide;
      std::memcpy(&wide, &value, sizeof wide);
      bits = static_cast<Bits>(std::is_same_v<Format, BF16Format> ? floatToBf16Bits(wide) : floatToF16Bits(wide));
    } else {
      bits = static_cast<Bits>(Format::encode(static_cast<double>(value)));
    }
    std::memcpy(p, &bits, sizeof bits);
  }
};

template <class T>
struct Plain {
  using Value = T;
  static constexpr size_t bytes = sizeof(T);
  static Value load(const char *p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
  }
  template <class From>
  static void store(char *p, From from) {
    T value;
    if constexpr (std::is_integral_v<T> && std::is_floating_point_v<From>)
      value = saturate(from);
    else
      value = static_cast<T>(from);
    std::memcpy(p, &value, sizeof value);
  }
  template <class From>
  static T saturate(From from) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(from))
      return 0;
    // -2^n and 2^n are exact in every float type; the values between them convert without overflow
    constexpr From upper = static_cast<From>(static_cast<uint64_t>(1) << (Limits::digits - 1)) * 2;
    constexpr From lower = Limits::is_signed ? -upper : From(0);
    return from >= upper ? Limits::max() : from <= lower ? Limits::min() : static_cast<T>(from);
  }
};

/// i1: 1 reads as -1 where signed.
template <bool IsSigned>
struct Bool {
  using Value = std::conditional_t<IsSigned, int8_t, uint8_t>;
  static constexpr size_t bytes = 1;
  static Value load(const char *p) { return static_cast<Value>(*p ? (IsSigned ? -1 : 1) : 0); }
  template <class From>
  static void store(char *p, From value) {
    if constexpr (std::is_floating_point_v<From>)
      *p = IsSigned ? value <= From(-1) : value >= From(1);
    else
      *p = value & 1;
  }
};

template <class From, class To>
void convert(const char *from, char *to, size_t n) {
  for (size_t i = 0; i < n; ++i)
    To::store(to + i * To::bytes, From::load(from + i * From::bytes));
}

void widenComplex(const char *from, char *to, size_t n) { convert<Plain<float>, Plain<double>>(from, to, 2 * n); }
void narrowComplex(const char *from, char *to, size_t n) { convert<Plain<double>, Plain<float>>(from, to, 2 * n); }
template <size_t Bytes>
void copyElements(const char *from, char *to, size_t n) {
  std::memcpy(to, from, n * Bytes);
}

/// Calls visit with the accessor of a kind.
template <class Visit>
ConvertFn withKind(ElementKind kind, bool isSigned, Visit visit) {
  switch (kind) {
  case ElementKind::I1:
    return isSigned ? visit(Bool<true>()) : visit(Bool<false>());
  case ElementKind::I8:
    return isSigned ? visit(Plain<int8_t>()) : visit(Plain<uint8_t>());
  case ElementKind::I16:
    return isSigned ? visit(Plain<int16_t>()) : visit(Plain<uint16_t>());
  case ElementKind::I32:
    return isSigned ? visit(Plain<int32_t>()) : visit(Plain<uint32_t>());
  case ElementKind::I64:
    return isSigned ? visit(Plain<int64_t>()) : visit(Plain<uint64_t>());
  case ElementKind::F8E4M3FN:
    return visit(Small<F8E4M3FNFormat, uint8_t>());
  case ElementKind::F8E4M3FNUZ:
    return visit(Small<F8E4M3FNUZFormat, uint8_t>());
  case ElementKind::F8E5M2:
    return visit(Small<F8E5M2Format, uint8_t>());
  case ElementKind::F8E5M2FNUZ:
    return visit(Small<F8E5M2FNUZFormat, uint8_t>());
  case ElementKind::F16:
    return visit(Small<F16Format, uint16_t>());
  case ElementKind::BF16:
    return visit(Small<BF16Format, uint16_t>());
  case ElementKind::F32:
    return visit(Plain<float>());
  case ElementKind::F64:
    return visit(Plain<double>());
  default:
    return nullptr;
  }
}

} // namespace

ConvertFn sinter::findConversion(ElementKind from, ElementKind to, bool isSigned) {
  if (from == to) {
    switch (elementBytes(from)) {
    case 1:
      return copyElements<1>;
    case 2:
      return copyElements<2>;
    case 4:
      return copyElements<4>;
    case 8:
      return copyElements<8>;
    case 16:
      return copyElements<16>;
    default:
      return nullptr;
    }
  }
  if (isComplexKind(from) && isComplexKind(to))
    return to == ElementKind::C128 ? widenComplex : narrowComplex;
  return withKind(from, isSigned, [&](auto source) {
    return withKind(to, isSigned, [](auto target) -> ConvertFn { return convert<decltype(source), decltype(target)>; });
  });
}
