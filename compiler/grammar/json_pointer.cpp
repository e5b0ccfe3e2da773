// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/json_pointer.h"

#include "llvm/ADT/StringExtras.h"

#include <optional>
#include <string>

namespace sinter::grammar {

namespace {

/// %HH is a byte.
std::optional<std::string> withoutPercents(llvm::StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    if (i + 2 >= text.size() || !llvm::isHexDigit(text[i + 1]) || !llvm::isHexDigit(text[i + 2]))
      return std::nullopt;
    plain += char(llvm::hexFromNibbles(text[i + 1], text[i + 2]));
    i += 2;
  }
  return plain;
}
/// ~1 is / and ~0 is ~.
std::optional<std::string> withoutTildes(llvm::StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') {
      plain += text[i];
      continue;
    }
    if (++i == text.size() || (text[i] != '0' && text[i] != '1'))
      return std::nullopt;
    plain += text[i] == '0' ? '~' : '/';
  }
  return plain;
}
const llvm::json::Value *partOf(const llvm::json::Value &of, llvm::StringRef key) {
  if (const llvm::json::Object *object = of.getAsObject())
    return object->get(key);
  const llvm::json::Array *array = of.getAsArray();
  size_t index = 0;
  const bool isIndex = !key.empty() && llvm::all_of(key, llvm::isDigit) && (key == "0" || key[0] != '0');
  return array && isIndex && !key.getAsInteger(10, index) && index < array->size() ? &(*array)[index] : nullptr;
}

} // namespace

const llvm::json::Value *atPointer(const llvm::json::Value &root, llvm::StringRef fragment) {
  const std::optional<std::string> pointer =
      fragment.consume_front("#") ? withoutPercents(fragment) : std::optional<std::string>();
  if (!pointer || (!pointer->empty() && pointer->front() != '/'))
    return nullptr;
  const llvm::json::Value *at = &root;
  for (llvm::StringRef rest = *pointer; at && rest.consume_front("/");) {
    const llvm::StringRef token = rest.take_until([](char c) { return c == '/'; });
    const std::optional<std::string> key = withoutTildes(token);
    at = key ? partOf(*at, *key) : nullptr;
    rest = rest.drop_front(token.size());
  }
  return at;
}

} // namespace sinter::grammar
