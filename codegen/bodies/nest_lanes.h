// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dim of a nest runs in vector lanes, if any.
#pragma once

#include "nest.h"

namespace sinter {

/// Sets the nest's lane members.
void chooseLanes(Nest &nest, const Values &values, int vectorBytes);

/// Whether steps of the reductions may be added to what the only output has so far: it holds sums without loss, a row
/// of them adjacent along dim `lane`.
bool sumsInMemory(const Nest &nest, int lane);

/// Whether an output has an element for each step of the reductions: what is reduced, kept for other readers.
bool isOfEachStep(const Nest &nest, const NestOperand &output);

/// Whether no dim does and elements of 16 bits go through the nest as they are: loaded, chosen between, stored.
bool onlyMovesHalfs(const Nest &nest);

} // namespace sinter
