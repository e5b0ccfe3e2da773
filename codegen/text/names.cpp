// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that a name must not be: C and C++ keywords, reserved forms, macros of common libraries, what our own
// headers use, and the names of standard headers in reserved/*.txt, which reserved/collect.py gathers from compilers.
#include "names.h"
#include "codegen/codegen.h"
#include "support/embedded.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {
namespace reserved {
extern const EmbeddedFile embedded[];
}

namespace {

const StringRef words[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "atomic_cancel", "atomic_commit", "atomic_noexcept", "auto", "bitand",
    "bitor", "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
    "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
    "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export",
    "extern", "false", "final", "float", "for", "friend", "goto", "if", "import", "inline", "int", "long", "module",
    "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "override",
    "private", "protected", "public", "reflexpr", "contract_assert", "register", "reinterpret_cast", "requires",
    "restrict", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
    "synchronized", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
    "typeof", "typeof_unqual", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor",
    "xor_eq",
    // macros and types that a header of the user may bring before ours
    "NULL", "I", "EOF", "assert", "complex", "errno", "imaginary", "linux", "offsetof", "setjmp", "signals", "slots",
    "emit", "foreach", "stderr", "stdin", "stdout", "unix", "i386", "arm", "mips", "sparc", "near", "far", "min", "max",
    "interface", "size_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "intptr_t", "uintptr_t", "intmax_t", "uintmax_t", "ptrdiff_t",
    // a member of that name would change what the type means in the rest of our structs
    "span", "sinter_string"};

/// A list of reserved/, one name a line.
llvm::StringSet<> readNames(StringRef list) {
  llvm::StringSet<> names;
  for (const EmbeddedFile *file = reserved::embedded; file->name; ++file)
    if (file->name == list)
      for (StringRef line : split(file->text, '\n'))
        names.insert(line);
  assert(names.size() > 1 && "the list is embedded");
  return names;
}

bool isReserved(StringRef name) {
  static const llvm::StringSet<> set = [] {
    llvm::StringSet<> all = readNames("macros.txt");
    for (StringRef word : words)
      all.insert(word);
    return all;
  }();
  if (set.contains(name))
    return true;
  // `_x` is reserved at file scope only, where each of our names begins with a prefix.
  if (name.starts_with("__") || (name.size() > 1 && name[0] == '_' && isUpper(name[1])))
    return true;
  // INT8_MAX, UINT64_C, ...: <stdint.h>'s macros
  return (name.starts_with("INT") || name.starts_with("UINT") || name.starts_with("SIZE") ||
          name.starts_with("PTRDIFF")) &&
         (name.ends_with("_MAX") || name.ends_with("_MIN") || name.ends_with("_C"));
}

} // namespace

Names::Names(ArrayRef<StringRef> prefixes) {
  for (StringRef prefix : prefixes)
    macroPrefixes.push_back(prefix.str());
}

std::string legalPrefix(StringRef wish) {
  static const llvm::StringSet<> globals = readNames("globals.txt");
  std::string name = Names::legal(wish);
  return globals.contains(name) ? "x_" + name : name;
}

std::string Names::legal(StringRef wish) {
  std::string name;
  for (char c : wish.take_front(200))
    name += isAlnum(c) || c == '_' ? c : '_';
  if (name.empty() || isDigit(name[0]) || isReserved(name))
    name = "x_" + name;
  return name;
}

Identifier Names::make(StringRef wish) {
  std::string base = legal(wish);
  for (const std::string &prefix : macroPrefixes)
    if (StringRef(base).starts_with(prefix)) {
      base = "x_" + base;
      break;
    }
  std::string name = base;
  unsigned &suffix = nextSuffix.try_emplace(base, 2).first->second;
  while (!taken.insert(name).second)
    name = base + (StringRef(base).ends_with("_") ? "" : "_") + std::to_string(suffix++);
  return Identifier(name);
}

Identifier Names::fixed(StringRef ours) {
  bool isNew = taken.insert(ours).second;
  (void)isNew;
  assert(isNew && "a fixed name must be free");
  return Identifier(ours.str());
}

} // namespace sinter
