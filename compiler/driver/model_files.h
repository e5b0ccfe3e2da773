// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model as it is written: one file, and beside it PATH.data where its weights lay in other files or the one ends at
// 2 GiB.
#pragma once

#include "driver/output_file.h"
#include "quantize/model_file.h"
#include "quantize/weights_file.h"

namespace sinter {

class ModelFiles {
public:
  /// `from`: what the model was made of. None after a report.
  static std::optional<ModelFiles> of(onnx::ModelProto model, const quantize::Model &from, std::string path,
                                      Diagnostics &diagnostics);

  /// The weights, if they are apart, then the model. They refer to this.
  std::vector<OutputFile> files() const;
  const std::string &path() const { return modelPath; }
  uint64_t modelBytes() const { return bytes.size(); }

private:
  std::string modelPath, weightsPath, bytes;
  std::optional<quantize::WeightsFile> weights;
};

/// Reports an output that is the model or one of the files that its weights lie in, and an output whose weights would
/// come to lie there.
bool writesOverModel(llvm::StringRef output, llvm::StringRef path, const quantize::Model &model,
                     Diagnostics &diagnostics);

} // namespace sinter
