// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that exporters spell in smaller ones, and that the model's opset has.
#pragma once

#include "simplify/work.h"

namespace sinter::simplify {

/// How many became one node. Shapes are those that the model states.
int64_t recognizeOperators(Work &work, const LearnOptions &learning);

/// The part of it that finds GroupNormalization (recognize_group_norm.cpp).
int64_t recognizeGroupNorms(Work &work);

} // namespace sinter::simplify
