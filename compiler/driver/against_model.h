// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify --against-model: how much of a quantized model's values is noise, beside the float model that it was made of.
#pragma once

#include "driver/data_sets.h"
#include "driver/model_report.h"

#include "llvm/Support/JSON.h"

namespace sinter {

/// Sums over all elements of all data sets.
struct SignalToNoise {
  double signal = 0, noise = 0;
  void add(double actual, double expected) {
    signal += expected * expected;
    noise += (actual - expected) * (actual - expected);
  }
  double decibels() const;
};

struct AgainstModel {
  struct Value {
    std::string name;  ///< in the float model
    int64_t call = -1; ///< the kernel that leaves it; -1: an output
    SignalToNoise ratio;
  };
  struct Skipped {
    std::string name, reason;
  };
  std::string model;
  size_t sets = 0;
  std::vector<Value> outputs, inside;
  std::vector<Skipped> skipped;
};

/// Runs the program, and onnxruntime on the float `model`, on all data sets. `inside`: also tensors that kernels leave
/// in memory.
llvm::Expected<AgainstModel> compareWithModel(const BuiltProgram &built, const ModelReport &report,
                                              llvm::ArrayRef<DataSet> sets, llvm::StringRef model, bool inside,
                                              int threads);

void print(const AgainstModel &result, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const AgainstModel &result);

} // namespace sinter
