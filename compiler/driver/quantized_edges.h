// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --io quantized as the driver sees it. The work: graph/quantize_io.cpp.
#pragma once

#include "diagnostics/diagnostics.h"
#include "pipeline/pass_runner.h"

namespace sinter {

/// Makes inputs and outputs of node IR's @main integers where the model quantizes them. `states` (--state OUT=IN) stay
/// as they are. Notes which tensors stay float and why; reports a problem if all do.
mlir::LogicalResult quantizeEdges(mlir::ModuleOp module, llvm::ArrayRef<std::string> states, PassRunner &runner,
                                  Diagnostics &diagnostics);

} // namespace sinter
