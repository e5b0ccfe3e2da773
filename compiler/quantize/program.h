// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What quantization asks of the driver: a model compiled for this machine, run on samples.
#pragma once

#include "quantize/tensors.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace sinter::quantize {

class Program {
public:
  virtual ~Program() = default;
  /// Outputs of the model on a sample, as floats. `extra` are inputs that the model has besides the user's, after
  /// these.
  virtual llvm::Expected<std::vector<FloatTensor>> run(size_t sample, llvm::ArrayRef<FloatTensor> extra) = 0;
};

/// Compiles a model (its bytes).
using MakeProgram = llvm::function_ref<llvm::Expected<std::unique_ptr<Program>>(const std::string &bytes)>;

} // namespace sinter::quantize
