// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a sinter.requantize computes in floats, said in integers of 32 bits:
//   round(x * f + d), x of 32 bits                     (x + steps) * m >> shift, m to 31 bits (runtime-lite/fixed_point.h)
//   round(sum of x_i * f_i + d), x_i of at most 16     (start + sum of x_i * m_i) >> shift, m_i to 2^-21 of the largest
//   round(x * f + sum of x_i * f_i + d)                both with 12 more bits, and their sum >> 12
// This file decides; fixed_writer.h writes.
#pragma once

#include "known_factor.h"

#include "ir/requantize.h"

#include <memory>

namespace sinter {

struct FixedForm;

/// An integer of the body times known factors.
struct FixedTerm {
  mlir::Value x;                        ///< extended as isUnsigned says; or null:
  std::shared_ptr<FixedForm> quantized; ///< what was quantized before in this body
  mlir::Value bias;                     ///< is added to x; null for 0
  bool isUnsigned;
  unsigned bits; ///< that x needs, its sign among them
  KnownFactor factor;
};

/// rescale((x << lift) + steps, multipliers, shift) + after.
struct FixedRescale {
  FixedTerm term;
  KnownFactor steps, multipliers, after;
  int lift, shift;
};
/// (start + sum of x * factor) >> shift, the factors whole numbers.
struct FixedSum {
  llvm::SmallVector<FixedTerm, 2> terms;
  KnownFactor start;
  int shift;
};

struct FixedForm {
  static constexpr int bitsOfParts = 12; ///< where there are both

  std::optional<FixedRescale> rescale;
  std::optional<FixedSum> sum;
  Requantize source; ///< with the limits

  /// Preconditions: numbers are known, at most one per channel, finite, and not negative where x has 32 bits. Nothing
  /// where these do not hold, or the numbers need more bits.
  static std::optional<FixedForm> of(const Requantize &requantize, const ElementBody &body, EvaluationCache &cache);
};

} // namespace sinter
