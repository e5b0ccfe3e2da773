// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries of the system that templates call, as those of pictures do: the lowering that makes such a call says which,
// by the names that linkers know ("jpeg" is libjpeg). From that follow the flags of every link (codegen/package.cpp,
// driver/cxx.cpp), and that such a call runs on the host of a GPU and on no target without an operating system.
#pragma once

#include "ir/dialect.h"

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// Notes that the call needs these; each name once.
void setLibraries(KernelOp call, llvm::ArrayRef<llvm::StringRef> libraries);
/// Those that an op needs; most need none.
llvm::SmallVector<llvm::StringRef> librariesOf(mlir::Operation *op);
/// Those that ops in a module need, sorted, each once.
std::vector<std::string> librariesIn(mlir::ModuleOp module);

} // namespace sinter
