// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What verify compares on: inputs recorded with outputs, samples in a folder, given files, or made-up inputs; and what
// the other side makes of them.
#pragma once

#include "driver/build_program.h"
#include "driver/inputs.h"

#include "diagnostics/diagnostics.h"

namespace sinter {

struct DataSet {
  std::string name;
  std::vector<HostArray> inputs, expected;
  bool isByOnnxruntime = false; ///< `expected`; else recorded or given
};

struct DataFlags {
  InputFlags inputs;
  Flag<std::string> data{
      "data",
      Says("folder of recorded data (test_data_set_*/{input,output}_*.pb) or of samples, as quantize "
           "takes them (default: recorded data beside the model)"),
      Takes("folder")};
  FlagList expected{"expect", Says("an output by name, instead of onnxruntime's"), Takes("NAME=FILE")};
  Flag<unsigned> sets{"sets", Says("how many random inputs to compare with onnxruntime on"), Takes("n"), Initially(5),
                      AtLeast(1)};
};

/// The data sets with what is expected of each, by onnxruntime where nobody recorded it, if `asks`. None after reports
/// to `diagnostics`.
llvm::Expected<std::vector<DataSet>> gatherDataSets(const DataFlags &flags, const BuiltProgram &built, bool asks,
                                                    Diagnostics &diagnostics);

/// A data set whose state is what the one before is to leave there continues it: with the state that our own call left.
void carryStates(DataSet &set, const DataSet &before, llvm::ArrayRef<HostArray> left, const ModelInfo &info);

} // namespace sinter
