// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node's attributes: AttributeProto -> MLIR attribute, checked against the schema, defaults filled in, references of
// functions resolved.
#pragma once

#include "frontend/scope.h"

namespace sinter {

struct NodeAttributes {
  mlir::DictionaryAttr values;
  llvm::SmallVector<std::pair<mlir::StringAttr, GraphArgument>, 0> graphs; ///< in order of the node's attributes
};

/// `schema` is null where the operator is unknown or a function of the model: then nothing is checked and nothing
/// filled in.
NodeAttributes readAttributes(ImportState &state, const onnx::NodeProto &node, const OperatorSchema *schema,
                              Scope &scope, const Frame &frame, const ModelPlace &place);

/// One attribute's value; null for graphs, and for what was reported as invalid. `kind` tells what is to be read.
mlir::Attribute readAttribute(ImportState &state, const onnx::AttributeProto &attribute, AttributeKind kind,
                              const ModelPlace &place);

/// The value that an attribute has where a node does not give it; null: none.
mlir::Attribute readDefault(ImportState &state, const SchemaAttribute &attribute);

/// What an AttributeProto says it holds; models before IR version 2 left that out, so it is seen from the fields then.
AttributeKind kindOf(const onnx::AttributeProto &attribute);

} // namespace sinter
