// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the kernels that are templates of their own (sinter.kernel) go to the threads of a GPU.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace sinter {

/// By a function of templates/cuda that is named for the kernel, with a thread, a warp or a block for what it has; or
/// by the template as CPUs have it, for one place along dims that nothing in it goes across
/// (compiler/ir/template_places.h). In none of these: one thread for all.
enum class ThreadForm {
  Element, ///< "maxPoolElement": a thread for each element of an operand
  Row,     ///< "softmaxRow": a warp for each row of the first output, along `dims` of it
  Lines,   ///< "cumulateLines": warps that take in turns what only the call knows the number of
  Block,   ///< "nonZeroBlock": one block
  Place,   ///< the CPU's template, a thread for each place along `dims` of the first output
};

struct TemplateThreads {
  llvm::StringRef kernel;
  ThreadForm form;
  llvm::StringRef header;
  std::vector<unsigned> dims = {};
  int operand = -1; ///< Element: whose elements; -1 the first output's
  /// Of a block, where the function counts on it, by the names that its header has for them.
  int64_t threads = 256, sharedBytes = 0;
  llvm::StringRef threadsName = {}, sharedName = {};
};

/// Null: one thread.
const TemplateThreads *threadsOf(llvm::StringRef kernel);

} // namespace sinter
