// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A custom operator: what a user's description (--custom-ops, docs/custom-operators.md) says of an operator that is a
// C++ function of theirs. Text to this: read_operators.h. What makes it an operator like others: add_operators.h.
#pragma once

#include "frontend/schema.h"
#include "ops/rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// The name of a set of element types, as ONNX's schemas have "T".
struct CustomType {
  std::string name;
  std::vector<std::string> elements; ///< "float", as in tensor(float)
};

struct CustomParameter {
  std::string name;
  std::string type;  ///< a CustomType's name, or an element type
  std::string shape; ///< in the language of rules, without blanks; of an input perhaps empty: any
  bool isOptional = false;
};

struct CustomAttribute {
  std::string name;
  AttributeKind kind = AttributeKind::Int; ///< Int, Float, String, Ints, Floats
  bool isRequired = true;                  ///< there is no default
  int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<int64_t> integers;
  std::vector<double> reals;
};

struct CustomOperator {
  std::string domain, name;
  int64_t since = 1;
  std::vector<CustomType> types;
  std::vector<CustomParameter> inputs, outputs;
  std::vector<CustomAttribute> attributes;
  std::string fits;               ///< conditions on top of the inputs' shapes
  std::string scratch;            ///< bytes to work in, an expression as those of shapes; empty: none
  std::string header;             ///< the file's name
  std::vector<std::string> files; ///< names of those that go along with the header
  std::string function;           ///< "acme::swirl"
  bool returnsStatus = false;
  std::string reference, library; ///< paths: a Python file for ONNX's evaluator, a library for onnxruntime
  std::string folder;             ///< where all of these lie: the description's

  /// What inputs must be, in the language of rules.
  std::string rule() const;
  /// The shapes of the outputs, and behind them the scratch's bytes as a shape of one dim.
  std::vector<RuleShape> madeShapes() const;
  const CustomType *findType(llvm::StringRef type) const;
  /// The header and what goes along: their paths.
  std::vector<std::string> paths() const;
  /// The declaration that the function has to match, a template where types are open.
  std::string signature() const;
};

} // namespace sinter
