// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fine-tuning added to a model without changing its file. PEFT writes pairs of matrices by the names of PyTorch's
// modules, which are added to weights (merge_adapter.h); ONNX Runtime's .onnx_adapter has values for inputs of the
// graph by their names, which the importer puts in their place (ImportOptions::given).
#pragma once

#include "diagnostics/diagnostics.h"
#include "frontend/import.h"

#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

struct AdapterTensor {
  std::string name;
  ElementType type = ElementType::Undefined;
  std::vector<int64_t> dims;
  llvm::StringRef bytes; ///< little-endian, row by row, in the adapter's file
};

/// Of adapter_config.json.
struct PeftConfig {
  double alpha = 0;
  bool usesRootOfRank = false;                               ///< rsLoRA: alpha / sqrt(rank) instead of alpha / rank
  std::vector<std::pair<std::string, double>> alphaPatterns; ///< by regular expressions of modules' names
};

/// One that may be switched on and off where the model runs: by a weight that is an input of the graph.
struct AdapterSwitch {
  std::string name;
  int64_t index = 0, count = 1; ///< which of the weights, and of how many
};

struct Adapter {
  std::string path;                      ///< the file of the tensors
  std::optional<AdapterSwitch> switched; ///< nothing: it is merged into weights
  std::vector<AdapterTensor> tensors;
  std::optional<PeftConfig> peft;            ///< nothing: the tensors are values of inputs
  std::vector<std::string> files;            ///< that were read
  std::shared_ptr<llvm::MemoryBuffer> bytes; ///< what the tensors are views of
};

/// The input of the graph: float[adapters].
constexpr llvm::StringLiteral adapterWeights = "adapters";

/// Of a folder that PEFT wrote, a .safetensors file in such a folder, or an .onnx_adapter file. None after a problem.
std::optional<Adapter> readAdapter(llvm::StringRef path, Diagnostics &diagnostics);

/// The tensors of a file's bytes, or what is wrong with it. Views of the bytes.
std::optional<std::string> readSafetensors(llvm::StringRef bytes, std::vector<AdapterTensor> &tensors);
std::optional<std::string> readOnnxAdapter(llvm::StringRef bytes, std::vector<AdapterTensor> &tensors);

/// Checks that a tensor has as many bytes as its type and dims say; what is wrong otherwise.
std::optional<std::string> checkAdapterTensor(const AdapterTensor &tensor);

} // namespace sinter
