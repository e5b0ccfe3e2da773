// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects that Sinter's forms are written in, with the interfaces that bufferization and tiling need.
#pragma once

namespace mlir {
class DialectRegistry;
}

namespace sinter {
void registerDialects(mlir::DialectRegistry &registry);
} // namespace sinter
