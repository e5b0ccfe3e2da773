// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest part of a graph whose compiled program differs from onnxruntime: first the shortest beginning that does,
// then the shortest end of that. Parts are given onnxruntime's own values, at the sizes of one call. What is in the
// bodies of its nodes: bisect_bodies.h.
#pragma once

#include "driver/part_trial.h"

#include <functional>

namespace sinter {

/// Values of the model by name.
using ModelValues = llvm::StringMap<HostArray>;

struct DifferingPart {
  onnx::ModelProto model;
  std::vector<HostArray> inputs, expected; ///< in the model's order
  std::vector<Verdict> verdicts;           ///< of its outputs
  std::string problem;                     ///< where the call gave none: how it ended
};

class Bisection {
public:
  /// The model's sizes are those of `values`.
  Bisection(const onnx::ModelProto &model, const ModelValues &values, const PartBuild &how)
      : model(model), values(values), how(how) {}

  /// Tells each trial: how many nodes, and whether they differ.
  std::function<void(size_t nodes, bool differs)> onTrial;

  /// None: no part alone differs.
  std::optional<DifferingPart> run();

private:
  /// The nodes from `first` to before `end`, those that the node before `end` is made of where `isCone`.
  std::optional<DifferingPart> tryPart(int first, int end, bool isCone);

  const onnx::ModelProto &model;
  const ModelValues &values;
  const PartBuild &how;
};

} // namespace sinter
