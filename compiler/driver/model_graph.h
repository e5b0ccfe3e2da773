// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's own graph for pages (page/graph.js draws it): its nodes, the shapes of values, how weights are spread.
#pragma once

#include "driver/compile_model.h"

#include "llvm/Support/JSON.h"

namespace sinter {

/// "nodes", "values" and "weights"; empty for a model that cannot be read by itself (a decoder's folder).
llvm::json::Object modelGraph(const CompileJob &job);
/// Whether the page can draw what a file says to be one: it may have been edited, or be a stranger's.
bool isModelGraph(const llvm::json::Value &said);

} // namespace sinter
