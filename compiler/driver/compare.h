// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far an output is from its reference, in the numbers that `verify` prints.
#pragma once

#include "driver/host_array.h"

namespace sinter {

struct Comparison {
  std::string mismatch;       ///< types, shapes or strings that differ; empty when the numbers below hold
  bool exact = false;         ///< an integer, bool or string output: must be equal
  bool equal = true;          ///< every element, NaN equal to NaN
  double maxAbs = 0;          ///< largest |a - b|; infinite where only one is finite
  double maxRel = 0;          ///< largest |a - b| / |b|
  double largest = 0;         ///< largest finite |b|: what a relative tolerance is held against
  int64_t maxUlp = 0;         ///< representable values between a and b
  double cosine = 1;          ///< of the two as vectors
  double argMaxAgreement = 1; ///< share of rows (along the last dim) whose largest element is at the same place
  int64_t worst = 0;          ///< where the largest |a - b| is
};

Comparison compare(const HostArray &actual, const HostArray &expected);

/// The largest |a - b| of two arrays of as many numbers; infinite where only one is finite.
double largestDifference(const HostArray &a, const HostArray &b);

/// The numbers as one line; "equal" for strings.
std::string textOf(const Comparison &comparison, ElementType type);
/// Whether it is within the tolerance, a share of the largest value, or within `step`, for outputs of quantized nets
/// (outputStep of ops/output_step.h).
bool isClose(const Comparison &comparison, double tolerance, double step = 0);

/// Whether every |a - b| is at most atol + rtol * |b|, as numpy's assert_allclose has it; exact outputs must be equal
/// all the same.
bool allClose(const HostArray &actual, const HostArray &expected, double rtol, double atol, std::string &why);

} // namespace sinter
