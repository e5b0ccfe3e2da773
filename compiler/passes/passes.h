// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes on tensor and buffer IR, each one free function in a file of its name. passes.def lists them.
#pragma once

#include "target/target.h"
#include "target/tuned_choices.h"
#include "target/wishes.h"

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

#define SINTER_PASS(function, parameters, name, optional, summary) mlir::LogicalResult function parameters;
#include "passes.def"
#undef SINTER_PASS

} // namespace sinter
