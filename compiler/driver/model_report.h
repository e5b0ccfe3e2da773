// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generated <prefix>_report.json, read back: what analyze prints and bench divides by. The file is written by
// codegen/report/report_json.cpp.
#pragma once

#include "ir/value_layout.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>

namespace sinter {

class Staging;

/// What a kernel writes, where that is a value of the model.
struct ValueReport {
  int64_t output; ///< its place among what the kernel writes
  std::string name, node, element;
  ValueLayout layout;                  ///< of the buffer, in terms of the value's dims
  std::vector<int64_t> shape, strides; ///< -1: known at run time
};

/// Where a measurement may choose (--tune): the place, the options, and the one that was taken.
struct TuningReport {
  std::string site, taken;
  std::vector<std::string> options;
};

struct KernelReport {
  std::string function, kind, why, shapes;
  std::vector<std::string> nodes;
  std::vector<ValueReport> values;
  int64_t macs = 0;   ///< of all its runs in one call of the model
  int64_t bytes = -1; ///< of inputs and outputs in all its runs; -1: known at run time
  int64_t weightBytes = 0;
  int64_t arenaLiveBytes = 0;   ///< while it runs
  double estimatedSeconds = -1; ///< all its runs in one call, by the cost model; -1: it does not know
  std::optional<TuningReport> tuning;

  /// By the types of what it reads: "1x8xi8, 8x8xi8 -> ...".
  bool multipliesBytes() const { return macs > 0 && llvm::StringRef(shapes).split(',').first.ends_with("i8"); }
};

struct ModelReport {
  int64_t macs = 0, arenaBytes = 0, arenaAlign = 1, weightsBytes = 0, functions = 0, copies = 0;
  llvm::StringMap<double> steps;     ///< by name: of outputs that quantized tensors make, how far apart two may lie
  llvm::StringMap<double> spacings;  ///< by name: the same of half types, as a share of the largest value
  llvm::StringMap<double> ranges;    ///< by name: of outputs of bounded functions, the most that they can be
  double rowTilingWork = 1;          ///< estimated, of feature maps in row tiles: a share of what it is without
  std::vector<KernelReport> kernels; ///< in the order of calls: sinter_model_info's
  llvm::json::Value json = nullptr;  ///< all of it
};

/// Of a model compiled into that folder with that prefix.
llvm::Expected<ModelReport> readReport(const Staging &staging, llvm::StringRef prefix);

} // namespace sinter
