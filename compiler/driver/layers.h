// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify --layers: tensors inside the model against onnxruntime's. The report says which kernel leaves which ONNX value
// in memory; the trace hook shows it there, so nothing is compiled otherwise than without this.
#pragma once

#include "driver/compare.h"
#include "driver/model_program.h"
#include "driver/model_report.h"

namespace sinter {

struct LayerComparison {
  struct Layer {
    std::string value, node; ///< and the node that makes it
    std::string function;
    int64_t call;
    ElementType type;
    Comparison comparison;
  };
  /// A value that a kernel is said to leave, and why it is not compared.
  struct Skipped {
    std::string value, reason;
    int64_t call;
  };
  std::vector<Layer> layers; ///< in the order of calls
  std::vector<Skipped> skipped;
  int64_t calls = 0; ///< kernel calls in all
};

/// The values of the model that can be seen in memory, each behind the last kernel that leaves it.
struct WatchedValues {
  std::vector<WatchedBuffer> buffers;
  std::vector<const ValueReport *> values; ///< of each buffer
  std::vector<LayerComparison::Skipped> skipped;
};
WatchedValues watchedValues(const ModelReport &report);

llvm::Expected<LayerComparison> compareLayers(const ModelProgram &program, const ModelReport &report,
                                              llvm::StringRef model, const std::vector<HostArray> &inputs,
                                              llvm::StringRef folder);

/// A line per tensor, then the first that is further away than the tolerance.
void printLayers(const LayerComparison &layers, double tolerance, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const LayerComparison &layers, double tolerance);

/// `bytes`, elements of a buffer that holds what `expected` is for, in the order of `expected`: as the report says that
/// they lie, however well that agrees. Without a value: `reason` says why they cannot be that.
std::optional<HostArray> inOrderOf(const HostArray &expected, llvm::StringRef bytes, const ValueReport &value,
                                   std::string &reason);

} // namespace sinter
