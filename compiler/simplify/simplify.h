// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model as ONNX can say it best: the same inputs and outputs, fewer nodes. Every step keeps what the model means;
// which steps there are: passes.def.
#pragma once

#include "simplify/learn.h"

namespace sinter::simplify {

struct SimplifyOptions {
  bool deadChannels = false; ///< channels that reach no result go too
  bool exact = false;        ///< only steps that leave results equal to the last bit
  /// What folding may make of nothing; none: 64 KiB, and of a large model a little of what its weights have.
  std::optional<uint64_t> foldBytes;
  std::vector<std::string> disabled; ///< steps by name
};

/// A step and how often it changed something.
struct StepCount {
  llvm::StringRef name;
  int64_t changes = 0;
};

struct SimplifyResult {
  int64_t nodesBefore = 0, nodesAfter = 0; ///< of all graphs
  std::vector<StepCount> steps;
  std::vector<std::string> notes;

  void count(llvm::StringRef step, int64_t changes);
};

SimplifyResult simplify(onnx::ModelProto &model, const LearnOptions &learning, const SimplifyOptions &options);

/// Names of all steps.
std::vector<llvm::StringRef> stepNames();
/// Nodes of all graphs, but those of functions.
int64_t countNodes(const onnx::ModelProto &model);

} // namespace sinter::simplify
