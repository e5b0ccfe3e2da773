// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What quantization asks of the driver: a model compiled for this machine, run on samples.
#pragma once

#include "quantize/tensors.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace sinter::quantize {

using TakeTensor = llvm::function_ref<void(const FloatTensor &)>;

class Program {
public:
  virtual ~Program() = default;
  /// Says what the inputs are that the model has besides the user's, after these, in all runs to come: one after the
  /// other, since together they may be as large as the model.
  virtual llvm::Error setExtra(llvm::function_ref<void(TakeTensor)> forEach) = 0;
  /// Outputs of the model on a sample, as floats.
  virtual llvm::Expected<std::vector<FloatTensor>> run(size_t sample) = 0;
};

/// Compiles a model. Initializers that are no part of the message lie where the user's model has them.
using MakeProgram = llvm::function_ref<llvm::Expected<std::unique_ptr<Program>>(onnx::ModelProto model)>;

} // namespace sinter::quantize
