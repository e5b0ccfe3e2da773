// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of flags, and messages about usage. All words are ours: what is wrong, then what to do.
#include "driver/flags.h"

#include "driver/answer.h"
#include "driver/flag_help.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
std::vector<FlagBase *> &declared() {
  static std::vector<FlagBase *> flags;
  return flags;
}

ExitStatus wrong(const Twine &message, const Twine &hint) {
  printError(message, hint);
  return ExitUsage;
}

class Parser {
public:
  explicit Parser(const Arguments &given) : program(given[0]), words(given.begin() + 1, given.end()) {
    cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, words);
  }

  std::optional<ExitStatus> run(const VerbText &text) {
    for (const char *word : words)
      if (StringRef form = word; form.consume_front("--help") || form == "-h") {
        printHelp(program, text, declared(), form.ltrim('=')); // --help=man: flag_help.h
        return ExitOk;
      }
    bool onlyWords = false;
    for (next = 0; next < words.size();) {
      StringRef word = words[next++];
      if (word == "--" && !onlyWords)
        onlyWords = true;
      else if (std::optional<ExitStatus> status =
                   word.starts_with("-") && word != "-" && !onlyWords ? takeFlag(word) : takeWord(word))
        return status;
    }
    for (const FlagBase *flag : declared())
      if (flag->name == "json" && flag->getNumOccurrences() != 0 && isStandardOutputKept())
        return wrong("standard output takes the answer of --json or the file, not both", "name another file");
    for (const FlagBase *flag : declared())
      if (flag->isRequired && flag->getNumOccurrences() == 0)
        return wrong(flag->isPositional ? "which " + flag->valueName.lower() + "?" : flag->spelling() + " is missing",
                     usageLine(program, declared()));
    return std::nullopt;
  }

private:
  std::string seeHelp() const { return "`" + program.str() + " --help` lists the flags"; }

  std::optional<ExitStatus> takeFlag(StringRef word) {
    StringRef bare = word.ltrim('-');
    auto [name, value] = bare.split('=');
    bool hasValue = bare.contains('=');
    for (FlagBase *flag : declared()) {
      if (flag->isPositional)
        continue;
      if (flag->isAttached && !word.starts_with("--") && bare.starts_with(flag->name) && bare != flag->name)
        return set(*flag, word, bare.drop_front(flag->name.size()).ltrim('='));
      if (flag->name != name)
        continue;
      if (hasValue)
        return set(*flag, flag->spelling(), value);
      bool isFollowed = next < words.size() && is_contained(knownFlagValues(*flag), StringRef(words[next]));
      if (!flag->takesValue() || (flag->isOptional && !isFollowed))
        return set(*flag, flag->spelling(), flag->takesValue() ? "" : "true");
      if (next == words.size())
        return wrong(flag->spelling() + " needs a value: " + flag->valueName, seeHelp());
      return set(*flag, flag->spelling(), words[next++]);
    }
    std::vector<std::string> names;
    for (const FlagBase *flag : declared())
      if (!flag->isHidden && !flag->isPositional)
        names.push_back(flag->spelling());
    StringRef close = closestWord(word.split('=').first, std::vector<StringRef>(names.begin(), names.end()));
    return wrong("there is no flag " + word.split('=').first,
                 close.empty() ? seeHelp() : "did you mean " + close.str() + "?");
  }

  static std::optional<ExitStatus> set(FlagBase &flag, StringRef as, StringRef value) {
    if (flag.name == "o" && !flag.isOutput && value == "-")
      return wrong("-o -: several files are made, which standard output does not take", "give -o a name");
    if (std::optional<std::string> problem = flag.take(value))
      return wrong(as + " " + value + " " + *problem, "");
    return std::nullopt;
  }

  std::optional<ExitStatus> takeWord(StringRef word) {
    for (FlagBase *flag : declared())
      if (flag->isPositional && (flag->isList || flag->getNumOccurrences() == 0))
        return set(*flag, flag->valueName, word);
    return wrong("'" + word + "' is one word too many", usageLine(program, declared()));
  }

  BumpPtrAllocator memory;
  StringSaver saver{memory};
  StringRef program;
  SmallVector<const char *> words;
  size_t next = 0;
};
} // namespace

FlagBase::FlagBase() { declared().push_back(this); }
FlagBase::~FlagBase() { llvm::erase(declared(), this); }

std::string FlagBase::spelling() const {
  bool isShort = name.size() == 1 || llvm::isUpper(name[0]); // -o, -MD
  return (isShort ? "-" : "--") + name.str();
}

void FlagBase::with(FlagTrait trait) {
  (trait == FlagTrait::Positional ? isPositional
   : trait == FlagTrait::Required ? isRequired
   : trait == FlagTrait::Attached ? isAttached
   : trait == FlagTrait::Optional ? isOptional
   : trait == FlagTrait::Output   ? isOutput
                                  : isHidden) = true;
}

template <class T>
std::optional<std::string> Flag<T>::set(StringRef text) {
  if constexpr (std::is_same_v<T, bool>) {
    value = text == "true" || text == "1";
    if (!value && text != "false" && text != "0")
      return "is neither true nor false";
  } else if constexpr (std::is_same_v<T, double>) {
    if (text.getAsDouble(value))
      return "is not a number";
  } else {
    bool isSigned = std::is_signed_v<T>;
    if (text.getAsInteger(10, value))
      return isSigned ? "is not a whole number" : "is not a whole number from 0 on";
    if (isSigned ? static_cast<int64_t>(value) < least : least > 0 && static_cast<uint64_t>(value) < uint64_t(least))
      return "is less than " + std::to_string(least);
  }
  return std::nullopt;
}

template <class T>
std::string Flag<T>::textOf(T number) {
  if constexpr (std::is_same_v<T, bool>) {
    return number ? "on" : "off";
  } else {
    std::string text;
    if constexpr (std::is_same_v<T, double>)
      raw_string_ostream(text) << format("%g", number);
    else
      text = std::to_string(number);
    return text;
  }
}

template class Flag<bool>;
template class Flag<int>;
template class Flag<unsigned>;
template class Flag<uint64_t>;
template class Flag<double>;

std::optional<ExitStatus> parseFlags(const Arguments &arguments, const VerbText &text) {
  return Parser(arguments).run(text);
}

void forgetFlags() { declared().clear(); }

StringRef closestWord(StringRef word, ArrayRef<StringRef> known) {
  size_t dashes = word.find_first_not_of('-'); // the two of --emit and --fit are no letters that agree
  if (dashes == StringRef::npos)
    return {};
  unsigned most = std::max<unsigned>(1, static_cast<unsigned>(word.size() - dashes) / 3);
  StringRef best;
  for (StringRef candidate : known)
    if (unsigned distance = word.edit_distance(candidate, true, most); distance <= most) {
      best = candidate;
      most = distance > 0 ? distance - 1 : 0;
      if (distance == 0)
        break;
    }
  return best;
}

void printError(const Twine &message, const Twine &hint) {
  std::string text = message.str(), advice = hint.str();
  outs().flush(); // on a terminal what came before stands before
  errs() << "sinter: ";
  WithColor(errs(), HighlightColor::Error) << "error: ";
  errs() << text << "\n";
  if (!advice.empty()) {
    errs() << "sinter: ";
    WithColor(errs(), HighlightColor::Note) << "hint: ";
    errs() << advice << "\n";
  }
  keepProblem(text, advice);
}

} // namespace sinter
