// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of a description that become parts of generated code or of rules: what is wrong with each, on its own. All
// return an empty text where nothing is.
#pragma once

#include "custom/custom_operator.h"

namespace sinter {

std::string inQuotes(llvm::StringRef text);
std::string withoutBlanks(llvm::StringRef text);

/// Of a parameter, an attribute, an operator.
std::string problemOfName(llvm::StringRef text);
/// "com.acme": not one of ONNX's own.
std::string problemOfDomain(llvm::StringRef text);
/// "acme::swirl".
std::string problemOfFunction(llvm::StringRef text);
/// The plain name of a file that is there.
std::string problemOfFile(llvm::StringRef text, llvm::StringRef folder);
/// An element type that a function takes.
std::string problemOfElement(llvm::StringRef text);
/// What an attribute is: "ints".
std::optional<AttributeKind> kindNamed(llvm::StringRef text);
std::string problemOfKind(llvm::StringRef text);
/// An input's shape, or several to choose from.
std::string problemOfShape(llvm::StringRef text);
/// An output's: one, each size an expression.
std::string problemOfMadeShape(llvm::StringRef text);
/// An expression as those of dims.
std::string problemOfBytes(llvm::StringRef text);
std::string problemOfConditions(llvm::StringRef text);
/// How the parts of an operator go together.
std::string problemOf(const CustomOperator &custom);

} // namespace sinter
