// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number in decimal digits, as many as a double may need: what text and floats are converted by, exactly. Powers of
// two are multiplied and divided by, some bits at a time. Text of numbers: number_text.h.
#pragma once

#include <stdint.h>
#include <string.h>

namespace sinter {
namespace {

/// 0.d1 d2 d3 ... times 10^point. Digits that do not fit are dropped; that some were is known.
struct Decimal {
  static constexpr int kMostDigits = 800; // a double has 767 at most
  uint8_t digits[kMostDigits];
  int count = 0, point = 0;
  bool isCut = false;

  static Decimal ofInteger(uint64_t value) {
    Decimal d;
    uint8_t reversed[20];
    for (; value; value /= 10)
      reversed[d.count++] = static_cast<uint8_t>(value % 10);
    for (int i = 0; i < d.count; ++i)
      d.digits[i] = reversed[d.count - 1 - i];
    d.point = d.count;
    d.trim();
    return d;
  }

  /// Times 2^bits.
  void scale(int bits) {
    constexpr int most = 56; // ten times the carry fits 64 bits
    while (bits != 0 && count > 0) {
      const int now = bits > most ? most : bits < -most ? -most : bits;
      if (now > 0)
        multiply(now);
      else
        divide(-now);
      bits -= now;
    }
  }

  /// To so many digits, to the nearest, ties to even.
  void round(int places) {
    if (places >= count)
      return;
    if (places < 0) {
      count = 0;
      return;
    }
    const bool isTie = digits[places] == 5 && places + 1 == count && !isCut;
    const bool isUp = isTie ? places > 0 && digits[places - 1] % 2 != 0 : digits[places] >= 5;
    count = places;
    isCut = false;
    if (isUp) {
      while (count > 0 && digits[count - 1] == 9)
        --count;
      if (count == 0) {
        digits[count++] = 1;
        ++point;
      } else {
        ++digits[count - 1];
      }
    }
    trim();
  }

  /// The whole number next to it, which must have no more than 19 digits.
  uint64_t rounded() const {
    Decimal d = *this;
    d.round(point);
    uint64_t value = 0;
    for (int i = 0; i < d.point; ++i)
      value = value * 10 + (i < d.count ? d.digits[i] : 0u);
    return d.count ? value : 0;
  }

private:
  void trim() {
    while (count > 0 && digits[count - 1] == 0)
      --count;
    if (count == 0)
      point = 0;
  }

  void multiply(int bits) {
    uint64_t carry = 0;
    for (int i = count - 1; i >= 0; --i) {
      carry += static_cast<uint64_t>(digits[i]) << bits;
      digits[i] = static_cast<uint8_t>(carry % 10);
      carry /= 10;
    }
    uint8_t front[20];
    int more = 0;
    for (; carry; carry /= 10)
      front[more++] = static_cast<uint8_t>(carry % 10);
    const int kept = count + more <= kMostDigits ? count : kMostDigits - more;
    for (int i = kept; i < count; ++i)
      isCut |= digits[i] != 0;
    memmove(digits + more, digits, static_cast<size_t>(kept));
    for (int i = 0; i < more; ++i)
      digits[i] = front[more - 1 - i];
    count = kept + more;
    point += more;
    trim();
  }

  void divide(int bits) {
    const uint64_t mask = (uint64_t(1) << bits) - 1;
    uint64_t rest = 0;
    int read = 0, written = 0;
    // Digits of the quotient begin where the rest is large enough.
    for (; rest >> bits == 0; ++read) {
      rest = rest * 10 + (read < count ? digits[read] : 0u);
      if (read >= count && rest == 0)
        break;
    }
    point -= read - 1;
    for (; read < count; ++read) {
      const auto digit = static_cast<uint8_t>(rest >> bits);
      rest = (rest & mask) * 10 + digits[read];
      digits[written++] = digit;
    }
    while (rest > 0) {
      const auto digit = static_cast<uint8_t>(rest >> bits);
      rest = (rest & mask) * 10;
      if (written < kMostDigits)
        digits[written++] = digit;
      else
        isCut |= digit != 0;
    }
    count = written;
    trim();
  }
};

} // namespace
} // namespace sinter
