// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON of a stranger. LLVM's parser calls itself for each bracket, and takes some forty bytes for a value that has two:
// so depth and number of values are asked before it reads.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace sinter {

struct JsonLimits {
  unsigned depth = 64;         ///< of brackets
  uint64_t values = 16u << 20; ///< a vocabulary of 256 Ki tokens with its merges has some 3 Mi

  /// A report has as many values as its model has nodes and tensors.
  static JsonLimits ofReport() { return {64, UINT64_MAX}; }
};

/// What is above a limit in any text; brackets in strings do not count. Empty: nothing is.
inline std::string beyondJsonLimits(llvm::StringRef text, const JsonLimits &limits) {
  uint64_t depth = 0, values = 1;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isString && c == '\\')
      ++i;
    else if (c == '"')
      isString = !isString;
    else if (isString)
      continue;
    else if (c == '[' || c == '{')
      ++depth, ++values;
    else if ((c == ']' || c == '}') && depth)
      --depth;
    else if (c == ',' || c == ':')
      ++values;
    if (depth > limits.depth)
      return ("brackets are nested deeper than " + llvm::Twine(limits.depth)).str();
    if (values > limits.values)
      return ("there are more than " + llvm::Twine(limits.values) + " values").str();
  }
  return "";
}

inline llvm::Expected<llvm::json::Value> parseBoundedJson(llvm::StringRef text, const JsonLimits &limits = {}) {
  if (std::string problem = beyondJsonLimits(text, limits); !problem.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(), problem);
  return llvm::json::parse(text);
}

} // namespace sinter
