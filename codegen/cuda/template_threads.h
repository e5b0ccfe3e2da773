// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the kernels that are templates of their own (sinter.kernel) go to the threads of a GPU.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace sinter {

/// By a function of templates/cuda that is named for the kernel: an element of the first output for each thread
/// ("maxPoolElement"), or a row of it for each warp ("softmaxRow"), along `rows` of its dims. Or by the template as
/// CPUs have it, for one place along dims that nothing in it goes across: for each operand those dims, in the order of
/// parameters. Or one thread for all.
struct TemplateThreads {
  llvm::StringRef kernel;
  llvm::StringRef header;
  std::vector<unsigned> rows;
  std::vector<std::vector<unsigned>> independent;
};

/// Null: one thread.
const TemplateThreads *threadsOf(llvm::StringRef kernel);

} // namespace sinter
