// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What readers of tokenizer files say, and reading of JSON objects with it: members of the wrong type are problems,
// absent ones are the default.
#pragma once

#include "diagnostics/diagnostics.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

namespace sinter::tokenizer {

class Trouble {
public:
  explicit Trouble(Diagnostics &diagnostics) : diagnostics(diagnostics) {}
  /// These return false, so that a reader ends with them.
  bool invalid(const llvm::Twine &what) { return say(Code::InvalidTokenizer, what, "the file contradicts itself"); }
  bool unreadable(const llvm::Twine &what) {
    return say(Code::InvalidTokenizer, what,
               "a download that was cut off and a Git LFS pointer are the usual reasons; tokenizer_config.json and "
               "vocab.json are other files");
  }
  bool unsupported(const llvm::Twine &what, llvm::StringRef hint = "`sinter explain E0802` says what is supported") {
    return say(Code::UnsupportedTokenizer, what, hint);
  }
  bool pattern(llvm::StringRef pattern, llvm::Error problem);
  bool tooLarge(const llvm::Twine &what) {
    return say(Code::TokenizerTooLarge, what, "`sinter explain E0804` has the limits");
  }
  bool hasErrors() const { return diagnostics.hasErrors(); }

private:
  bool say(Code code, const llvm::Twine &what, llvm::StringRef hint) {
    diagnostics.report({code, what.str(), {}, hint.str()});
    return false;
  }
  Diagnostics &diagnostics;
};

/// An object of the file, and what it is called in messages.
class JsonPart {
public:
  JsonPart(const llvm::json::Object &object, llvm::StringRef name, Trouble &trouble)
      : object(object), name(name), trouble(trouble) {}

  llvm::StringRef type() const { return object.getString("type").value_or(""); }
  llvm::StringRef text(llvm::StringRef key, llvm::StringRef otherwise = "") const;
  bool flag(llvm::StringRef key, bool otherwise = false) const;
  int64_t number(llvm::StringRef key, int64_t otherwise) const;
  /// Null and absent are the same.
  const llvm::json::Value *member(llvm::StringRef key) const {
    const llvm::json::Value *value = object.get(key);
    return value && value->kind() != llvm::json::Value::Null ? value : nullptr;
  }
  /// The objects of an array; others are problems.
  std::vector<const llvm::json::Object *> objects(llvm::StringRef key) const;
  const llvm::json::Object &json() const { return object; }
  std::string called() const { return type().empty() ? name.str() : (name + " " + type()).str(); }

private:
  const llvm::json::Object &object;
  llvm::StringRef name;
  Trouble &trouble;
};

} // namespace sinter::tokenizer
