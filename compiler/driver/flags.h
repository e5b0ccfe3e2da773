// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command-line flags. Each verb declares those it has as locals before it parses, so that `sinter VERB --help` shows no
// others; groups of flags that several verbs share are structs (model_flags.h, compile_flags.h). A flag is declared by
// what it is called, says, takes and is at first; help, man page and completion (flag_help.h) are made of that.
#pragma once

#include "driver/standard_output.h"
#include "driver/verbs.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <optional>

namespace sinter {

/// Under which heading help lists a flag.
enum class FlagGroup { Verb, Model, Inputs, Code, Memory, Interface, Compiler };

enum class FlagTrait {
  Positional, ///< a word without dashes; it has no name
  Required,
  Attached, ///< the value follows the name at once: -O2
  Hidden,   ///< of tests: help does not list it
  Output,   ///< a file that is written; it may be standard output: -
  Optional, ///< a switch that takes one of the words it knows, where one follows: --timestamps, --timestamps word
};

struct Says {
  explicit Says(llvm::StringRef text) : text(text) {}
  llvm::StringRef text;
};
struct Takes {
  explicit Takes(llvm::StringRef text) : text(text) {}
  llvm::StringRef text;
};
/// All values that there are, where `Takes` does not spell them out.
struct OneOf {
  explicit OneOf(std::vector<std::string> (*values)()) : values(values) {}
  std::vector<std::string> (*values)();
};
template <class T>
struct Initially {
  explicit Initially(T value) : value(value) {}
  T value;
};
struct AtLeast {
  explicit AtLeast(int64_t value) : value(value) {}
  int64_t value;
};

/// What all flags are to the parser and to help.
class FlagBase {
public:
  llvm::StringRef name, summary, valueName;
  FlagGroup group = FlagGroup::Verb;
  bool isPositional = false, isRequired = false, isAttached = false, isHidden = false, isList = false, isOutput = false,
       isOptional = false;
  std::string initialText; ///< what help shows as default
  int64_t least = INT64_MIN;
  std::vector<std::string> (*offered)() = nullptr;

  FlagBase(const FlagBase &) = delete;
  FlagBase &operator=(const FlagBase &) = delete;
  /// With its dashes.
  std::string spelling() const;
  virtual bool takesValue() const { return true; }
  /// How often it was given.
  unsigned getNumOccurrences() const { return occurrences; }
  /// Takes the value; says what is wrong with it.
  std::optional<std::string> take(llvm::StringRef text) {
    ++occurrences;
    if (isOutput)
      keepStandardOutputFor(text);
    return set(text);
  }

protected:
  FlagBase();
  virtual ~FlagBase();
  virtual std::optional<std::string> set(llvm::StringRef text) = 0;
  void with(llvm::StringRef text) { name = text; }
  void with(Says text) { summary = text.text; }
  void with(Takes text) { valueName = text.text; }
  void with(OneOf known) { offered = known.values; }
  void with(AtLeast bound) { least = bound.value; }
  void with(FlagGroup heading) { group = heading; }
  void with(FlagTrait trait);

private:
  unsigned occurrences = 0;
};

/// A flag for a number or a switch. Defined for bool, int, unsigned, uint64_t and double.
template <class T>
class Flag : public FlagBase {
public:
  template <class... Mods>
  explicit Flag(const Mods &...mods) {
    (with(mods), ...);
  }
  operator T() const { return value; }
  T getValue() const { return value; }
  bool takesValue() const override { return !std::is_same_v<T, bool>; }

protected:
  std::optional<std::string> set(llvm::StringRef text) override;

private:
  using FlagBase::with;
  template <class U>
  void with(Initially<U> first) {
    value = static_cast<T>(first.value);
    initialText = textOf(value);
  }
  static std::string textOf(T number);
  T value = {};
};

template <>
class Flag<std::string> : public FlagBase, public std::string {
public:
  template <class... Mods>
  explicit Flag(const Mods &...mods) {
    (with(mods), ...);
  }
  const std::string &getValue() const { return *this; }
  void setValue(llvm::StringRef text) { assign(text.str()); }

private:
  using FlagBase::with;
  void with(Initially<const char *> first) { assign(initialText = first.value); }
  std::optional<std::string> set(llvm::StringRef text) override {
    assign(text.str());
    return std::nullopt;
  }
};

/// A flag that may be given several times.
class FlagList : public FlagBase, public std::vector<std::string> {
public:
  template <class... Mods>
  explicit FlagList(const Mods &...mods) {
    isList = true;
    (with(mods), ...);
  }

private:
  std::optional<std::string> set(llvm::StringRef text) override {
    push_back(text.str());
    return std::nullopt;
  }
};

/// What help says of a verb besides its flags.
struct VerbText {
  llvm::StringRef overview;
  llvm::ArrayRef<llvm::StringRef> examples = {};
};

/// Parses into the flags that are declared now. The status to end with: after help, and after a message on wrong usage.
std::optional<ExitStatus> parseFlags(const Arguments &arguments, const VerbText &text);

/// Flags declared so far are no longer looked for: before another set of flags is parsed beside them.
void forgetFlags();

/// The closest of `known` if it is close enough to be a misspelling, else empty.
llvm::StringRef closestWord(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known);

/// Prints "sinter: error: ..." and, when there is one, "sinter: hint: ...".
void printError(const llvm::Twine &message, const llvm::Twine &hint = "");

} // namespace sinter
