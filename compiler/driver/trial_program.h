// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that quantization tries things with: models in memory, compiled for this machine.
#pragma once

#include "driver/build_program.h"
#include "driver/samples.h"
#include "quantize/program.h"
#include <functional>

namespace sinter {

/// Compiles `model`, made of the one at `path`; `base` says dims, external roots and the like. `onRun`
/// is told of each run. An error's message was printed already.
llvm::Expected<std::unique_ptr<quantize::Program>> makeTrialProgram(onnx::ModelProto model, llvm::StringRef path,
                                                                    const CompileJob &base, llvm::StringRef cxx,
                                                                    llvm::ArrayRef<Sample> samples,
                                                                    std::function<void()> onRun);

/// What was printed already, and the status to end with.
class BuildFailed : public llvm::ErrorInfo<BuildFailed> {
public:
  static char ID;
  explicit BuildFailed(ExitStatus status) : status(status) {}
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  ExitStatus status;
};

} // namespace sinter
