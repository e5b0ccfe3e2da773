// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operators of sequences and optionals (onnx/sequence.cpp and its siblings) do alike: what they are given, and
// what they give. Sequences that only a call knows: stacked.h.
#pragma once

#include "forms.h"

namespace sinter {

/// `element`: of the tensors in it; Undefined where nobody says.
Converted sequenceOf(std::vector<Converted> elements, ElementType element);
Converted sequenceOf(const Stacked &stack);
/// What operand i became.
const Converted &given(const Op &op, unsigned i);
mlir::LogicalResult give(Op &op, mlir::FailureOr<Converted> value, unsigned output = 0);
/// Operand i as a stack; fails where an element has no bound.
mlir::FailureOr<Stacked> stackOf(Op &op, unsigned i);
/// That an element may be taken.
mlir::LogicalResult needElements(Op &op, const Stacked &stack);

} // namespace sinter
