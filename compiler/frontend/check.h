// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One node's operands and results against the operator's schema: how many, which may be absent, and their types as far
// as they are known.
#pragma once

#include "frontend/import_state.h"
#include "frontend/schema.h"

namespace sinter {

/// The schema for a node of a domain, or null after a report that says why: no opset, unknown operator, too new an
/// opset, deprecated.
const OperatorSchema *schemaOf(ImportState &state, const onnx::NodeProto &node, const Opsets &opsets,
                               const ModelPlace &place);

/// `types` has the type string of each operand ("": unknown or absent). The result has one for each output ("":
/// unknown); what the model declares for it is in `declared`. Everything that does not fit is reported.
llvm::SmallVector<llvm::StringRef> checkOperands(ImportState &state, const onnx::NodeProto &node,
                                                 const OperatorSchema &schema, llvm::ArrayRef<llvm::StringRef> types,
                                                 llvm::ArrayRef<llvm::StringRef> declared, const ModelPlace &place);

} // namespace sinter
