// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of the output, typed by where it may come from. Code grows only from literals of this program, numbers,
// identifiers that Names made, and wrappers that escape; text of a model does not convert to it, so no model can change
// the tokens that we print. printer.h lays it out.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <type_traits>

namespace sinter {

/// A name in the output, free of collisions. Only Names makes them (names.h).
class Identifier {
public:
  Identifier() = default;
  llvm::StringRef text() const { return name; }
  bool operator==(const Identifier &other) const { return name == other.name; }
  bool operator<(const Identifier &other) const { return name < other.name; }

private:
  friend class Names;
  explicit Identifier(std::string name) : name(std::move(name)) {}
  std::string name;
};

/// Foreign text inside a comment of either style: printable ASCII on one line, unable to end or nest the comment.
class Comment {
public:
  explicit Comment(llvm::StringRef foreign);
  llvm::StringRef text() const { return escaped; }

private:
  std::string escaped;
};

/// Foreign bytes as a C string literal, quotes included.
class StringLiteral {
public:
  explicit StringLiteral(llvm::StringRef foreign);
  llvm::StringRef text() const { return quoted; }

private:
  std::string quoted;
};

/// Foreign text as a string of JSON and JavaScript, quotes included: printable ASCII, without what ends a comment or an
/// element of a page. What is no UTF-8 becomes U+FFFD.
class JsonString {
public:
  explicit JsonString(llvm::StringRef foreign);
  llvm::StringRef text() const { return quoted; }

private:
  std::string quoted;
};

/// A piece of output.
class PrintedCode {
public:
  PrintedCode() = default;
  template <class... Parts, class = std::enable_if_t<(sizeof...(Parts) > 1)>>
  explicit PrintedCode(const Parts &...parts) {
    (append(parts), ...);
  }
  template <size_t N>
  PrintedCode(const char (&literal)[N]) : body(literal, N - 1) {}
  template <size_t N>
  PrintedCode(char (&buffer)[N]) = delete; // a buffer is no literal
  PrintedCode(const Identifier &name) : body(name.text()) {}
  PrintedCode(const Comment &comment) : body(comment.text()) {}
  PrintedCode(const StringLiteral &literal) : body(literal.text()) {}
  PrintedCode(const JsonString &literal) : body(literal.text()) {}
  template <class Int, class = std::enable_if_t<std::is_integral_v<Int> && !std::is_same_v<Int, bool>>>
  PrintedCode(Int value) : body(std::to_string(value)) {}

  /// Text that this compiler carries itself: embedded templates, rows of its own tables. Never text of a model.
  static PrintedCode trusted(llvm::StringRef ours) {
    PrintedCode code;
    code.body = ours.str();
    return code;
  }
  /// A float or double literal that reads back as exactly `value`; NaN and infinity by the names of
  /// runtime-lite/compiler.h.
  static PrintedCode number(double value, bool isFloat);
  /// An integer literal of the given width, the least value included.
  static PrintedCode integer(int64_t value, unsigned bits);

  template <class... Parts>
  PrintedCode &append(const Parts &...parts) {
    (appendText(PrintedCode(parts).body), ...);
    return *this;
  }
  PrintedCode &append(const PrintedCode &code) { return appendText(code.body); }

  llvm::StringRef text() const { return body; }
  bool empty() const { return body.empty(); }
  bool operator==(const PrintedCode &other) const { return body == other.body; }

private:
  PrintedCode &appendText(llvm::StringRef text) {
    body += text;
    return *this;
  }
  std::string body;
};

/// `a, b, c`.
PrintedCode joinCode(llvm::ArrayRef<PrintedCode> parts, const PrintedCode &separator = ", ");

} // namespace sinter
