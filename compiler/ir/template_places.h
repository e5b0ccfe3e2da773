// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Along which dims the kernels that are templates of their own can be cut into calls: nothing in them goes across.
// Threads of CPUs take shares along one of these, threads of a GPU a place along all (codegen/cuda/template_threads.h).
#pragma once

#include "llvm/ADT/StringRef.h"
#include <utility>
#include <vector>

namespace sinter {

/// Dims of an operand that a place is of, each with the number among `dims` of the one that it goes along with. A dim
/// of size 1 is the same for all places.
using PlaceOfOperand = std::vector<std::pair<unsigned, unsigned>>;

struct TemplatePlaces {
  llvm::StringRef kernel;
  std::vector<unsigned> dims;          ///< of the first output
  std::vector<PlaceOfOperand> inputs;  ///< of each in order; those behind are everyone's
  std::vector<PlaceOfOperand> outputs; ///< the same, the first behind the inputs
  bool hasScratch = false;             ///< the last output is what a call works in: each has its own
  /// The param that says how many numbers of the last of `dims` there are in all, if a call has some of them.
  llvm::StringRef sizeParam = {};
};

/// Null where there are none.
const TemplatePlaces *templatePlacesOf(llvm::StringRef kernel);

} // namespace sinter
