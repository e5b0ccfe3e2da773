// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long an input may be, and what its readers make of its values: numbers that choose among the rows of something
// (tokens, positions, segments), text that is read as numbers, keys of a map that are looked for. Who makes up values
// for a model goes by it.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace sinter {

struct InputHints {
  int64_t rows = 0;       ///< how many rows there are to choose from, the fewest that any reader has; 0: it is no index
  bool isNumbers = false; ///< of text: it is read as numbers
  int64_t leastCount = 0; ///< of a sequence or map: how many elements a call may have
  int64_t mostCount = -1; ///< the same; -1: it is neither
  std::vector<std::string> texts; ///< keys that are looked for
  std::vector<int64_t> integers;  ///< the same, of a map with such keys
};

/// By the name of an input of the graph.
llvm::StringMap<InputHints> inputHintsOf(mlir::ModuleOp module);

} // namespace sinter
