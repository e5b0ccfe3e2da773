// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX's operator schemas as data: every version of every operator, from the onnx package and contrib_schemas.txt, by
// way of schema_table.py.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace sinter {

/// AttributeProto.AttributeType's numbers.
enum class AttributeKind : uint8_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  TypeProto = 13,
  TypeProtos = 14,
};
/// "INTS", as the ONNX documentation has it.
llvm::StringRef attributeKindName(AttributeKind kind);

struct SchemaParameter {
  enum Option : uint8_t { Single, Optional, Variadic };
  llvm::StringRef name;
  llvm::StringRef type; ///< a type string ("tensor(int64)") or the name of a constraint ("T")
  Option option;
  bool homogeneous; ///< a variadic's members are all of one type
};

struct SchemaConstraint {
  llvm::StringRef name;
  llvm::StringRef types; ///< separated by blanks
  bool allows(llvm::StringRef type) const;
};

struct SchemaAttribute {
  llvm::StringRef name;
  AttributeKind kind;
  bool required;
  llvm::StringRef defaultValue; ///< a serialized AttributeProto; empty: none
};

/// An operator's definition in terms of others: a serialized FunctionProto, for models of this opset and later.
struct SchemaBody {
  int64_t opset;
  llvm::StringRef function;
};

struct OperatorSchema {
  llvm::StringRef domain, name;
  int64_t since;
  bool deprecated;
  bool contextualBody; ///< its body depends on types or attributes, so there is none here
  uint32_t minInputs, maxInputs, minOutputs, maxOutputs;
  llvm::SmallVector<SchemaParameter, 4> inputs, outputs;
  llvm::SmallVector<SchemaConstraint, 2> constraints;
  llvm::SmallVector<SchemaAttribute, 4> attributes;
  llvm::SmallVector<SchemaBody, 1> bodies;

  /// Whether a node of it is a tensor of the model, which the importer reads as one.
  bool isConstant() const { return domain.empty() && name == "Constant"; }
  /// Whether a node of it names values of the graph in its attributes: xs, zs and y (graph/differentiate.h).
  bool isGradient() const { return domain == "ai.onnx.preview.training" && name == "Gradient"; }
  const SchemaAttribute *attribute(llvm::StringRef name) const;
  const SchemaConstraint *constraint(llvm::StringRef name) const;
  /// The parameter that the index-th operand (result) belongs to: the last one of a variadic schema takes all that
  /// follow.
  const SchemaParameter *input(size_t index) const;
  const SchemaParameter *output(size_t index) const;
};

/// "ai.onnx" is the empty domain's other name.
llvm::StringRef canonicalDomain(llvm::StringRef domain);
/// The reverse, for people to read.
llvm::StringRef domainText(llvm::StringRef domain);
/// "Softmax", "com.microsoft.QGemm".
std::string qualifiedName(llvm::StringRef domain, llvm::StringRef name);

/// A schema beside the table's, before a model is read; in its domain and name the table's do not count any more. The
/// texts must live as long as the program.
void addSchema(OperatorSchema schema);

/// The schema that holds in `opset`: the newest one not newer. Null where the operator is unknown. Lives as long as the
/// program.
const OperatorSchema *findSchema(llvm::StringRef domain, llvm::StringRef name, int64_t opset);
/// Versions of an operator, oldest first; empty: unknown in every opset.
llvm::SmallVector<int64_t> schemaVersions(llvm::StringRef domain, llvm::StringRef name);
/// The newest opset of a domain that the table covers; 0 for a domain that it does not have or that has no numbered
/// opsets.
int64_t newestOpset(llvm::StringRef domain);
/// The operator of this domain whose name is closest to a misspelt one; empty: none is close.
llvm::StringRef closestOperator(llvm::StringRef domain, llvm::StringRef name);
/// Calls `visit` with each schema of the table, in order of domain, name, version.
void forEachSchema(llvm::function_ref<void(const OperatorSchema &)> visit);

} // namespace sinter
