// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks conversion what it knows of a model's values (ops/value_facts.h).
#pragma once

#include "frontend/import.h"
#include "ops/value_facts.h"

#include "onnx-ml.pb.h"
#include <functional>
#include <memory>

namespace sinter::simplify {

struct LearnOptions {
  ImportOptions import;
  std::string folder; ///< where external data may lie
  /// What is to be said of node IR before it is converted: --dim total=past+seq.
  std::function<void(mlir::ModuleOp)> prepare;
};

/// Holds what the facts refer to.
struct Learnt {
  std::unique_ptr<mlir::MLIRContext> context;
  ValueFacts facts;
  std::vector<std::string> problems; ///< why some values are not known
};

/// Node IR of the model, without nodes of operators that nobody knows and what follows from them.
struct KnownNodes {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null after problems
  Diagnostics diagnostics;
  uint64_t nodes = 0; ///< in the file
};
std::optional<KnownNodes> importKnown(const onnx::ModelProto &model, const LearnOptions &options, std::string &problem);

/// Facts of as many values as can be had: nodes of operators that nobody knows, and what follows from them, are left
/// out.
Learnt learn(const onnx::ModelProto &model, const LearnOptions &options);

/// Dims without a value may have any size that memory could hold.
void boundOpenDims(const onnx::ModelProto &model, ImportOptions &import);

} // namespace sinter::simplify
