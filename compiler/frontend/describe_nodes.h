// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nodes are, in words, for comments of generated code.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace sinter {

/// By the node's name, on one line: "Conv (pads 1 1 1 1, strides 2 2)". Attributes that are as by default, and those
/// that are no short numbers or words, are left out.
llvm::StringMap<std::string> describeNodes(mlir::ModuleOp module);

} // namespace sinter
