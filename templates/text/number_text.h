// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as text and back, by no library, exactly rounded: floats as "%.8g" has them, which is what onnxruntime
// prints, with "NaN", "INF" and "-INF" as ONNX's Cast asks, or as "%.6f" does for who asks for places; read as strtod,
// strtoll and strtoull read them, but for hexadecimal ones, which ONNX does not know.
#pragma once

#include "runtime-lite/text.h"
#include "templates/text/decimal.h"

namespace sinter {
namespace {

static inline void writeDigits(TextWriter &writer, uint64_t value, int least = 1) {
  char reversed[20];
  int count = 0;
  for (; value || count < least; value /= 10)
    reversed[count++] = static_cast<char>('0' + static_cast<char>(value % 10));
  while (count > 0)
    writer.add(reversed[--count]);
}

[[maybe_unused]] static inline void writeNumber(TextWriter &writer, uint64_t value, int64_t) {
  writeDigits(writer, value);
}
[[maybe_unused]] static inline void writeNumber(TextWriter &writer, int64_t value, int64_t) {
  if (value < 0)
    writer.add('-');
  writeDigits(writer, value < 0 ? uint64_t(0) - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
}

static inline void writeLiteral(TextWriter &writer, const char *text) {
  for (; *text; ++text)
    writer.add(*text);
}

/// A double's sign, and its magnitude in digits where it is finite.
struct DoubleParts {
  bool isNegative, isFinite, isNan;
  Decimal digits;

  explicit DoubleParts(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
    isNegative = bits >> 63 != 0;
    isFinite = exponent != 0x7ff;
    isNan = !isFinite && mantissa != 0;
    if (!isFinite)
      return;
    if (exponent)
      mantissa |= uint64_t(1) << 52;
    digits = Decimal::ofInteger(mantissa);
    digits.scale((exponent ? exponent : 1) - 1075);
  }
};

/// As "%.<places>f" has it.
static inline void writeFixed(TextWriter &writer, DoubleParts value, int places) {
  if (value.isNegative)
    writer.add('-');
  if (!value.isFinite) {
    writeLiteral(writer, value.isNan ? "nan" : "inf");
    return;
  }
  Decimal &d = value.digits;
  d.round(d.point + places);
  const auto digit = [&](int i) { writer.add(static_cast<char>('0' + (i >= 0 && i < d.count ? d.digits[i] : 0))); };
  if (d.point <= 0)
    writer.add('0');
  for (int i = 0; i < d.point; ++i)
    digit(i);
  if (places > 0)
    writer.add('.');
  for (int i = d.point; i < d.point + places; ++i)
    digit(i);
}

[[maybe_unused]] static inline void writeNumber(TextWriter &writer, double number, int64_t fixedPlaces) {
  DoubleParts value(number);
  if (fixedPlaces >= 0) {
    writeFixed(writer, value, static_cast<int>(fixedPlaces));
    return;
  }
  if (value.isNan) {
    writeLiteral(writer, "NaN");
    return;
  }
  if (value.isNegative)
    writer.add('-');
  if (!value.isFinite) {
    writeLiteral(writer, "INF");
    return;
  }
  Decimal &d = value.digits;
  constexpr int places = 8;
  d.round(places);
  if (d.count == 0) {
    writer.add('0');
    return;
  }
  const int power = d.point - 1;
  const auto digit = [&](int i) { writer.add(static_cast<char>('0' + (i < d.count ? d.digits[i] : 0))); };
  if (power < -4 || power >= places) {
    digit(0);
    if (d.count > 1)
      writer.add('.');
    for (int i = 1; i < d.count; ++i)
      digit(i);
    writer.add('e');
    writer.add(power < 0 ? '-' : '+');
    writeDigits(writer, static_cast<uint64_t>(power < 0 ? -power : power), 2);
    return;
  }
  if (power < 0)
    writer.add('0');
  for (int i = 0; i <= power; ++i)
    digit(i);
  if (d.count > power + 1)
    writer.add('.');
  for (int i = power + 1; i < 0; ++i)
    writer.add('0');
  for (int i = power < 0 ? 0 : power + 1; i < d.count; ++i)
    digit(i);
}

/// What is left of a text that is being read.
struct TextReader {
  const char *at, *end;

  explicit TextReader(sinter_string text) : at(text.data), end(text.data + text.size) {
    while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r')))
      ++at;
  }
  bool take(char c) {
    if (at == end || *at != c)
      return false;
    ++at;
    return true;
  }
  /// In letters of either case.
  bool takeWord(const char *word) {
    const char *next = at;
    for (; *word; ++word, ++next)
      if (next == end || (*next | 32) != *word)
        return false;
    at = next;
    return true;
  }
  bool isDigit() const { return at < end && *at >= '0' && *at <= '9'; }
  /// Whether there is a minus; a sign of either kind is passed.
  bool takeSign() { return take('-') || (take('+') && false); }
};

/// Digits and the sign in front of them; false where there are none, or more than 64 bits.
static inline bool readWhole(TextReader &text, bool &isNegative, uint64_t &value) {
  isNegative = text.takeSign();
  if (!text.isDigit())
    return false;
  value = 0;
  for (; text.isDigit(); ++text.at) {
    const auto digit = static_cast<uint64_t>(*text.at - '0');
    if (value > (UINT64_MAX - digit) / 10)
      return false;
    value = value * 10 + digit;
  }
  return true;
}

[[maybe_unused]] static inline bool readNumber(sinter_string from, uint64_t &value) {
  TextReader text(from);
  bool isNegative;
  if (!readWhole(text, isNegative, value))
    return false;
  if (isNegative)
    value = uint64_t(0) - value;
  return true;
}
[[maybe_unused]] static inline bool readNumber(sinter_string from, int64_t &value) {
  TextReader text(from);
  bool isNegative;
  uint64_t magnitude;
  if (!readWhole(text, isNegative, magnitude) || magnitude > uint64_t(INT64_MAX) + (isNegative ? 1 : 0))
    return false;
  value = static_cast<int64_t>(isNegative ? uint64_t(0) - magnitude : magnitude);
  return true;
}

/// The digits and the power of ten of a text; false where it begins with none.
static inline bool readDecimal(TextReader &text, Decimal &d) {
  bool hasDigits = false, isBehindPoint = false;
  for (;; ++text.at) {
    if (!isBehindPoint && text.at < text.end && *text.at == '.') {
      isBehindPoint = true;
      continue;
    }
    if (!text.isDigit())
      break;
    hasDigits = true;
    const auto digit = static_cast<uint8_t>(*text.at - '0');
    constexpr int far = 1 << 20; // beyond it a number is 0 or infinite
    if (d.count == 0 && digit == 0) {
      d.point -= isBehindPoint && d.point > -far ? 1 : 0;
      continue;
    }
    d.point += !isBehindPoint && d.point < far ? 1 : 0;
    if (d.count < Decimal::kMostDigits)
      d.digits[d.count++] = digit;
    else
      d.isCut |= digit != 0;
  }
  if (!hasDigits)
    return false;
  TextReader power = text;
  if (power.take('e') || power.take('E')) {
    const bool isNegative = power.takeSign();
    int value = 0;
    for (; power.isDigit(); ++power.at)
      value = value < (1 << 20) ? value * 10 + (*power.at - '0') : value;
    d.point += isNegative ? -value : value;
  }
  return true;
}

[[maybe_unused]] static inline bool readNumber(sinter_string from, double &value) {
  TextReader text(from);
  const uint64_t sign = static_cast<uint64_t>(text.takeSign()) << 63;
  const auto give = [&](uint64_t bits) {
    bits |= sign;
    memcpy(&value, &bits, sizeof bits);
  };
  constexpr uint64_t infinity = uint64_t(0x7ff) << 52;
  if (text.takeWord("nan")) {
    give(infinity | uint64_t(1) << 51);
    return true;
  }
  if (text.takeWord("inf")) {
    give(infinity);
    return true;
  }
  TextReader hexadecimal = text;
  if (hexadecimal.take('0') && (hexadecimal.take('x') || hexadecimal.take('X')))
    return false;
  Decimal d;
  if (!readDecimal(text, d))
    return false;
  if (d.count == 0 || d.point < -330) {
    give(0);
    return true;
  }
  if (d.point > 310)
    return false;
  // Scaled until its whole part is the mantissa, of 53 bits or of what is left above the least exponent.
  int exponent = 0;
  while (d.point > 0) {
    const int step = d.point > 8 ? 27 : d.point > 1 ? 3 : 1;
    d.scale(-step);
    exponent += step;
  }
  while (d.point < 0 || (d.count > 0 && d.point == 0 && d.digits[0] < 5)) {
    const int step = d.point < -8 ? 27 : d.point < -1 ? 3 : 1;
    d.scale(step);
    exponent -= step;
  }
  // Now in [1/2, 1) times 2^exponent.
  const int bits = exponent >= -1021 ? 53 : 53 + exponent + 1021;
  if (bits < 0) {
    give(0);
    return true;
  }
  d.scale(bits);
  uint64_t mantissa = d.rounded();
  if (mantissa == uint64_t(1) << 53) {
    mantissa >>= 1;
    ++exponent;
  }
  if (exponent > 1024)
    return false;
  const bool isNormal = mantissa >> 52 != 0;
  const uint64_t biased = isNormal ? static_cast<uint64_t>(exponent < -1021 ? 1 : exponent + 1022) : 0;
  give(biased << 52 | (mantissa & ((uint64_t(1) << 52) - 1)));
  return true;
}

} // namespace
} // namespace sinter
