// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON of a stranger. LLVM's parser calls itself for each bracket, and takes some forty bytes for a value that has two:
// so depth and number of values are asked before it reads. Of characters that are escaped by two halves it joins the
// bits, so that every other plane becomes the one before it: these are written as UTF-8 first.
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ConvertUTF.h"
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

/// The four digits of "\\u00e9" at `i`, if it begins there.
inline std::optional<unsigned> escapedUnit(llvm::StringRef text, size_t i) {
  unsigned unit = 0;
  bool isEscape = i + 6 <= text.size() && text[i] == '\\' && text[i + 1] == 'u' &&
                  !text.substr(i + 2, 4).getAsInteger(16, unit) &&
                  llvm::all_of(text.substr(i + 2, 4), llvm::isHexDigit);
  return isEscape ? std::optional(unit) : std::nullopt;
}

/// The text with UTF-8 in place of each character that is escaped by two halves.
inline std::string withWholeCharacters(llvm::StringRef text) {
  std::string whole;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      whole += text[i];
      continue;
    }
    std::optional<unsigned> high = escapedUnit(text, i), low = high ? escapedUnit(text, i + 6) : std::nullopt;
    if (low && *high >= 0xd800 && *high < 0xdc00 && *low >= 0xdc00 && *low < 0xe000) {
      char bytes[4], *end = bytes;
      llvm::ConvertCodePointToUTF8(0x10000 + ((*high - 0xd800) << 10) + (*low - 0xdc00), end);
      whole.append(bytes, end);
      i += 11;
    } else {
      whole += text.substr(i, 2);
      ++i;
    }
  }
  return whole;
}

/// Of any size: of our own, or what has been looked at by beyondJsonLimits.
inline llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text) {
  return text.contains_insensitive("\\ud8") || text.contains_insensitive("\\ud9") ||
                 text.contains_insensitive("\\uda") || text.contains_insensitive("\\udb")
             ? llvm::json::parse(withWholeCharacters(text))
             : llvm::json::parse(text);
}

inline llvm::Expected<llvm::json::Value> parseBoundedJson(llvm::StringRef text, const JsonLimits &limits = {}) {
  if (std::string problem = beyondJsonLimits(text, limits); !problem.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(), problem);
  return parseJson(text);
}

} // namespace sinter
