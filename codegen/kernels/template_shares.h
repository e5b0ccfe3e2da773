// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parts of its operands a call of a template kernel has, where threads of a CPU share it
// (compiler/ir/template_places.h).
#pragma once

#include "codegen/codegen.h"
#include "ir/template_call.h"
#include "kernel_function.h"

namespace sinter {

/// Along a dim of a view: numbers from `first` on, `count` of them.
struct ViewPart {
  unsigned dim;
  SizeExpr first;
  PrintedCode count;
};
using ViewParts = std::vector<ViewPart>;

struct TemplateShare {
  std::vector<ViewParts> parts; ///< of each operand, inputs first; empty: a call has all of it
  /// A param, and the size that it says; no name: none.
  std::pair<llvm::StringRef, SizeExpr> size;
};

/// What a call has of each operand, as sizes of the function's own. Threads share the dim along which their shares are
/// most alike, if all operands let them and there is work for several; else no operand has parts.
TemplateShare shareTemplate(mlir::Operation *op, const TemplateCall &kernel, const CodegenOptions &options,
                            KernelFunction &function);

} // namespace sinter
