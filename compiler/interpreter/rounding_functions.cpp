// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that sinter.apply names from floats to integers, as generated code has them (the pass round-to-integers
// makes them). Their operands differ in type, so that they are no op of scalar_functions.cpp.
#include "scalars.h"

#include "runtime-lite/round_to_byte.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

void nearestLanes(const Instruction &instruction, size_t n) {
  auto *out = reinterpret_cast<int32_t *>(instruction.out);
  auto *x = reinterpret_cast<const float *>(instruction.in[0]);
  for (size_t i = 0; i < n; ++i)
    out[i] = nearestInt<int32_t>(x[i]);
}

template <int32_t (*round)(float, int32_t)>
void byteLanes(const Instruction &instruction, size_t n) {
  auto *out = reinterpret_cast<int32_t *>(instruction.out);
  auto *x = reinterpret_cast<const float *>(instruction.in[0]);
  auto *zero = reinterpret_cast<const int32_t *>(instruction.in[1]);
  for (size_t i = 0; i < n; ++i)
    out[i] = round(x[i], zero[i]);
}

} // namespace

Instruction::Run findRounding(llvm::StringRef name) {
  if (name == "nearest_int")
    return nearestLanes;
  if (name == "round_to_int8")
    return byteLanes<roundToInt8>;
  if (name == "round_to_uint8")
    return byteLanes<roundToUint8>;
  return nullptr;
}

} // namespace sinter
