// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference outputs from onnxruntime, through an embedded Python script (script.h).
#pragma once

#include "driver/model_program.h"

#include <optional>

namespace sinter {

/// onnxruntime's outputs for each data set; state goes on from one to the next. `folder`: a temporary one.
llvm::Expected<std::vector<std::vector<HostArray>>> referenceOutputs(llvm::StringRef model, const ModelInfo &info,
                                                                     llvm::ArrayRef<std::vector<HostArray>> dataSets,
                                                                     llvm::StringRef folder);

/// What ONNX's reference evaluator makes of an output.
struct Evaluated {
  HostArray exact;                  ///< in float64
  std::optional<HostArray> rounded; ///< with the half types that the model has, rounded to after each operator
};

/// These outputs, evaluated. The error says why there are none.
llvm::Expected<std::vector<Evaluated>> exactOutputs(llvm::StringRef model, const ModelInfo &info,
                                                    const std::vector<HostArray> &inputs,
                                                    llvm::ArrayRef<std::string> names, llvm::StringRef folder);

/// What onnxruntime makes of values inside the model on each data set; nullopt for those it does not know.
llvm::Expected<std::vector<std::vector<std::optional<HostArray>>>>
referenceValues(llvm::StringRef model, const ModelInfo &info, llvm::ArrayRef<std::vector<HostArray>> dataSets,
                llvm::ArrayRef<std::string> names, llvm::StringRef folder);

/// A Loop or a Scan, whose body is a model of its own.
struct LoopJob {
  std::string kind;                            ///< the operator
  std::vector<std::string> inputs, outputs;    ///< of the body, in its order
  std::vector<std::optional<HostArray>> start; ///< the node's inputs
  std::vector<HostArray> captured;             ///< what the body reads around it
  int64_t scans = 0;                           ///< of a Scan
  std::vector<int64_t> axes, backwards;        ///< of these; empty: all 0
  int64_t mostTurns = 0;
};
struct LoopTurn {
  std::vector<HostArray> inputs, outputs; ///< the body's own inputs; what its nodes make
};
/// What onnxruntime makes of each turn. `customOps`: as ModelInfo has them.
llvm::Expected<std::vector<LoopTurn>> referenceTurns(llvm::StringRef body, const LoopJob &job,
                                                     llvm::StringRef customOps, llvm::StringRef folder);

/// What a value of a quantized model stands for in the float model that it was made of.
struct FloatName {
  std::string name; ///< there; empty: nothing of one scale
  double scale = 0; ///< real = scale * (value - zeroPoint); 0: it is float
  int64_t zeroPoint = 0;
  bool isSigned = false;

  bool isQuantized() const { return scale != 0; }
};
llvm::Expected<std::vector<FloatName>> floatNames(llvm::StringRef quantizedModel, llvm::ArrayRef<std::string> names,
                                                  llvm::StringRef folder);

} // namespace sinter
