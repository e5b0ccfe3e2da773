// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What half_aarch64.test looks at the instructions of.
#include "runtime-lite/half.h"

using namespace sinter;

extern "C" Vec<float, 4> widened(Vec<uint16_t, 4> halves) { return halfToFloat<f16>(halves); }
extern "C" Vec<uint16_t, 4> narrowed(Vec<float, 4> floats) { return floatToHalf<f16>(floats); }
