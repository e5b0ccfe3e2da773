// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libraries of text are printed by (tokenizers, chat templates, grammars): bodies of runtime-lite's headers,
// functions by their prefix, tables.
#pragma once

#include "support/embedded.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace sinter {

/// What stands in the namespace of a header of runtime-lite/generation; of one without it, all.
inline llvm::StringRef generationBody(const EmbeddedFile *files, llvm::StringRef name) {
  llvm::StringRef text;
  for (const EmbeddedFile *file = files; file->name; ++file)
    if (name == file->name)
      text = file->text;
  const llvm::StringRef open = "namespace sinter::generation {\n", close = "} // namespace sinter::generation\n";
  const size_t from = text.find(open), to = text.rfind(close);
  return from == llvm::StringRef::npos ? text : text.slice(from + open.size(), to);
}

/// `text` with the prefix for each @, and the same in capitals for each $.
inline std::string withPrefix(llvm::StringRef text, llvm::StringRef prefix) {
  std::string result;
  for (const char c : text)
    if (c == '@')
      result += prefix;
    else if (c == '$')
      result += prefix.upper();
    else
      result += c;
  return result;
}

/// "const DECLARATION[] = {...};" in lines of about 110 characters. textOf(value) is a constant expression.
template <class T, class TextOf>
void printTable(llvm::raw_ostream &out, llvm::StringRef declaration, const std::vector<T> &values, TextOf textOf) {
  out << "const " << declaration << "[] = {";
  size_t column = 100;
  for (const T &value : values) {
    const std::string text = textOf(value);
    column += text.size() + 1;
    if (column > 110) {
      out << "\n";
      column = text.size() + 1;
    }
    out << text << ",";
  }
  out << (values.empty() ? "{}};\n" : "};\n");
}

} // namespace sinter
