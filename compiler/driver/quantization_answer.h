// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quantization's report as it comes back from a file: is it one that the page can draw?
#pragma once

#include "llvm/Support/JSON.h"

namespace sinter {

/// What `sinter quantize --report` and `--json` write has these members.
bool isQuantization(const llvm::json::Object &answer);

/// Empty, or what is wrong with the members that the page draws: a file may have been edited, or be a stranger's.
std::string problemOfQuantization(const llvm::json::Object &answer);

/// Whether it is an interval with counts, of a number that can be drawn.
bool isHistogram(const llvm::json::Object *histogram);

} // namespace sinter
