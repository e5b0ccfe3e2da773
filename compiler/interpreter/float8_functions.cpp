// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conversions that sinter.apply names for types of 8 and 4 bits, with ONNX's rules (Cast): "from_float8e4m3fn",
// "to_float8e5m2" (overflow gives the largest value), "to_float8e5m2_unsaturated" (overflow gives infinity or NaN),
// "to_float8e8m0_nearest".
#include "scalars.h"
#include "small_floats.h"

#include <cstring>

namespace sinter {
namespace {

/// No infinity, no NaN: overflow saturates; NaN gives a zero of the opposite sign, as ml_dtypes has it.
struct Float4E2M1 {
  static double decode(uint8_t bits) {
    static const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    return bits & 8 ? -values[bits & 7] : values[bits & 7];
  }
  static uint8_t encode(double value) {
    if (std::isnan(value))
      return std::signbit(value) ? 0 : 8;
    double a = std::fabs(value);
    // halfway cases go to the even code
    int code = a <= 0.25   ? 0
               : a < 0.75  ? 1
               : a <= 1.25 ? 2
               : a < 1.75  ? 3
               : a <= 2.5  ? 4
               : a < 3.5   ? 5
               : a <= 5    ? 6
                           : 7;
    return static_cast<uint8_t>(code | (std::signbit(value) ? 8 : 0));
  }
};

template <class Format, bool Saturates>
uint8_t encodeFloat8(float value) {
  if (Saturates && !std::isnan(value)) {
    double largest = Format::decode(Format::maxFinite);
    return static_cast<uint8_t>(Format::encode(std::fmin(std::fmax(value, -largest), largest)));
  }
  return static_cast<uint8_t>(Format::encode(value));
}

enum class Float8Rounding { Up, Down, Nearest };

/// A power of two: the exponent of an f32, rounded by looking at its mantissa. No sign.
template <Float8Rounding rounding, bool Saturates>
uint8_t encodeFloat8E8M0(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  uint32_t exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
  if (exponent == 0xff)
    return 0xff;
  bool up = rounding == Float8Rounding::Up        ? mantissa != 0
            : rounding == Float8Rounding::Nearest ? mantissa > 0x400000 || (mantissa == 0x400000 && exponent > 0)
                                                  : false;
  if (Saturates && exponent == 0xfe)
    up = false;
  return static_cast<uint8_t>(exponent + up);
}

float decodeFloat8E8M0(uint8_t bits) { return bits == 0xff ? std::nanf("") : std::ldexp(1.0f, bits - 127); }

template <auto encode>
void encodeLanes(const char *from, char *to, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    float value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    to[i] = static_cast<char>(encode(value));
  }
}
template <auto decode>
void decodeLanes(const char *from, char *to, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    auto value = static_cast<float>(decode(static_cast<uint8_t>(from[i])));
    std::memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

template <class Format>
NamedConversion float8(llvm::StringRef suffix, bool decodes) {
  if (decodes)
    return {true, decodeLanes<Format::decode>};
  return {false, suffix.empty() ? encodeLanes<encodeFloat8<Format, true>> : encodeLanes<encodeFloat8<Format, false>>};
}

NamedConversion float8E8M0(llvm::StringRef suffix) {
  bool saturates = !suffix.consume_back("_unsaturated");
  if (suffix == "_down")
    return {false, saturates ? encodeLanes<encodeFloat8E8M0<Float8Rounding::Down, true>>
                             : encodeLanes<encodeFloat8E8M0<Float8Rounding::Down, false>>};
  if (suffix == "_nearest")
    return {false, saturates ? encodeLanes<encodeFloat8E8M0<Float8Rounding::Nearest, true>>
                             : encodeLanes<encodeFloat8E8M0<Float8Rounding::Nearest, false>>};
  return {false, saturates ? encodeLanes<encodeFloat8E8M0<Float8Rounding::Up, true>>
                           : encodeLanes<encodeFloat8E8M0<Float8Rounding::Up, false>>};
}

} // namespace

std::optional<NamedConversion> findNamedConversion(llvm::StringRef name) {
  bool decodes = name.consume_front("from_");
  if (!decodes && !name.consume_front("to_"))
    return std::nullopt;
  auto [type, suffix] = name.split('_');
  llvm::StringRef rest(type.end(), static_cast<size_t>(name.end() - type.end())); // with its underscore
  if (type == "float8e4m3fn")
    return float8<F8E4M3FNFormat>(rest, decodes);
  if (type == "float8e4m3fnuz")
    return float8<F8E4M3FNUZFormat>(rest, decodes);
  if (type == "float8e5m2")
    return float8<F8E5M2Format>(rest, decodes);
  if (type == "float8e5m2fnuz")
    return float8<F8E5M2FNUZFormat>(rest, decodes);
  if (type == "float4e2m1")
    return decodes ? NamedConversion{true, decodeLanes<Float4E2M1::decode>}
                   : NamedConversion{false, encodeLanes<Float4E2M1::encode>};
  if (type == "float8e8m0")
    return decodes ? NamedConversion{true, decodeLanes<decodeFloat8E8M0>} : float8E8M0(rest);
  return std::nullopt;
}

} // namespace sinter
