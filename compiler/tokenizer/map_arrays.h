// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of code points to two stages: blocks of 128 that are alike are there once.
#pragma once

#include "tokenizer/compile.h"

namespace sinter::tokenizer {

/// `numbers` has one for each code point, or none at all where all are 0.
MapArrays mapArraysOf(const std::vector<uint16_t> &numbers);
/// None where characters become more than 65,535 different sequences, as many as a map has numbers for.
std::optional<MappingArrays> mappingArraysOf(const Sequences &mapping);

} // namespace sinter::tokenizer
