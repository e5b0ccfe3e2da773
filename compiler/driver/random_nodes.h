// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which nodes of a model draw random numbers: what depends on them cannot agree between two programs.
#pragma once

#include "driver/compile_model.h"

namespace sinter {

struct RandomNode {
  std::string name; ///< or its first output's, where it has none
  std::string type, output;
};

/// Those of the model's graphs, outermost first. None where the model cannot be read again.
std::vector<RandomNode> randomNodesOf(const CompileJob &job);

} // namespace sinter
