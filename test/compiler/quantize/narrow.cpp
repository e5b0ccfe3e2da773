// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every 16-bit float, what lies between neighbours, and floats of all exponents, beside llvm::APFloat.
#include "quantize/narrow.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include "doctest/doctest.h"
#include <cstring>
#include <vector>

using namespace sinter::quantize;
using llvm::APFloat;

namespace {
/// Values of all narrow bits, the middle between neighbours, and the floats beside both.
std::vector<float> interesting(const llvm::fltSemantics &semantics) {
  std::vector<float> values;
  auto add = [&](float value) {
    auto bits = llvm::bit_cast<uint32_t>(value);
    for (uint32_t near : {bits - 1, bits, bits + 1})
      values.push_back(llvm::bit_cast<float>(near));
  };
  auto valueOf = [&](uint32_t bits) {
    APFloat narrow(semantics, llvm::APInt(16, bits));
    bool lossy;
    narrow.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
    return narrow.convertToFloat();
  };
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    add(valueOf(bits));
    if ((bits & 0x7fff) != 0x7fff)
      add(static_cast<float>((static_cast<double>(valueOf(bits)) + static_cast<double>(valueOf(bits + 1))) / 2));
  }
  for (uint32_t bits = 0; bits < 0xffff0000; bits += 0xfff1) // floats of all exponents, subnormal ones and NaNs too
    values.push_back(llvm::bit_cast<float>(bits));
  return values;
}

void compare(const llvm::fltSemantics &semantics, int64_t (*narrow)(llvm::StringRef, char *)) {
  std::vector<float> values = interesting(semantics);
  llvm::StringRef raw(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float));
  std::string bytes(raw.size() / 2, '\0');
  int64_t clipped = narrow(raw, bytes.data()), expectedClipped = 0, different = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    APFloat exact(values[i]);
    bool lossy, isFinite = exact.isFinite();
    exact.convert(semantics, APFloat::rmNearestTiesToEven, &lossy);
    if (isFinite && exact.isInfinity()) {
      exact = APFloat::getLargest(semantics, exact.isNegative());
      ++expectedClipped;
    }
    uint16_t bits;
    std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
    if (bits != exact.bitcastToAPInt().getZExtValue() && different++ < 5)
      FAIL_CHECK("float ", llvm::bit_cast<uint32_t>(values[i]), " becomes ", bits);
  }
  CHECK(different == 0);
  CHECK(expectedClipped > 0);
  CHECK(clipped == expectedClipped);
}
} // namespace

TEST_CASE("float16 has the bits of one rounding to the nearest, ties to even") {
  compare(APFloat::IEEEhalf(), toFloat16);
}

TEST_CASE("bfloat16 likewise") { compare(APFloat::BFloat(), toBFloat16); }

TEST_CASE("both sides may lie at any address") {
  char in[1 + 2 * sizeof(float)], out[1 + 2 * sizeof(uint16_t)] = {};
  float values[] = {1, -70000};
  std::memcpy(in + 1, values, sizeof values);
  CHECK(toFloat16({in + 1, sizeof values}, out + 1) == 1);
  uint16_t bits[2];
  std::memcpy(bits, out + 1, sizeof bits);
  CHECK(bits[0] == 0x3c00);
  CHECK(bits[1] == 0xfbff);
}
