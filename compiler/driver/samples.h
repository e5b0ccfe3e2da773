// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of a model's inputs, from a folder: what `sinter quantize` calibrates with
// and `sinter verify` compares on.
#pragma once

#include "driver/model_program.h"

#include "diagnostics/diagnostics.h"

namespace sinter {

using Sample = std::vector<HostArray>; ///< the inputs, in the model's order

/// Reads all samples of a folder. The layouts, of which the first that fits holds:
///   test_data_set_*/input_0.pb, ...   as ONNX has them
///   files (one input)                 a sample each, or an .npy with a sample per row
///   a folder per input                files in order of their names, as many for each input
///   a folder per sample               a file per input, called as the input is, or in order of their names
/// Empty after reports to `diagnostics`. `names`, if given, gets what each is called: its file and the row in it.
std::vector<Sample> readSamples(llvm::StringRef folder, const ModelInfo &model, Diagnostics &diagnostics,
                                std::vector<std::string> *names = nullptr);

/// How an input's name is written in the name of a file or folder.
std::string fileStemOf(llvm::StringRef inputName);

} // namespace sinter
