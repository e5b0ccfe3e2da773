// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each form of help from the same list of flags. main.cpp puts the verbs together: `sinter help --man`, completion.
#include "driver/flag_help.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
/// Headings in the order of help.
struct Heading {
  FlagGroup group;
  llvm::StringLiteral text;
};
constexpr Heading headings[] = {{FlagGroup::Verb, "Flags"},
                                {FlagGroup::Inputs, "Inputs and data"},
                                {FlagGroup::Model, "The model"},
                                {FlagGroup::Code, "What the code is made for"},
                                {FlagGroup::Memory, "Memory"},
                                {FlagGroup::Interface, "The interface"},
                                {FlagGroup::Compiler, "The compiler at work"}};

/// "--dim <batch=1 | ...>", "-O<level>".
std::string withValue(const FlagBase &flag) {
  std::string text = flag.spelling();
  if (!flag.takesValue())
    return text;
  if (flag.isOptional)
    return text + " [" + flag.valueName.str() + "]";
  return text + (flag.isAttached ? "<" : " <") + (flag.valueName.empty() ? "value" : flag.valueName.str()) + ">";
}

std::string summaryWithDefault(const FlagBase &flag) {
  std::string text = flag.summary.str();
  if (!flag.initialText.empty())
    text += " (default: " + flag.initialText + ")";
  if (flag.isList && !flag.isPositional)
    text += " (may be repeated)";
  return text;
}

/// Text in lines of at most 100 columns, all behind `indent`.
void printFolded(StringRef text, unsigned indent, raw_ostream &out) {
  size_t column = indent;
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, false);
  out.indent(indent);
  for (StringRef word : words) {
    if (column > indent && column + 1 + word.size() > 100) {
      out << "\n";
      out.indent(indent);
      column = indent;
    }
    out << (column > indent ? " " : "") << word;
    column += word.size() + (column > indent);
  }
  out << "\n";
}

template <class Print>
void forEachGroup(ArrayRef<FlagBase *> flags, Print print) {
  for (const Heading &heading : headings) {
    std::vector<const FlagBase *> listed;
    for (const FlagBase *flag : flags)
      if (flag->group == heading.group && !flag->isHidden && !flag->isPositional)
        listed.push_back(flag);
    if (!listed.empty())
      print(heading.text, listed);
  }
}

void printTitle(StringRef text) {
  WithColor(outs(), raw_ostream::SAVEDCOLOR, /*Bold=*/true) << text;
  outs() << "\n";
}

void printText(StringRef program, const VerbText &text, ArrayRef<FlagBase *> flags) {
  outs() << usageLine(program, flags) << "\n\n" << text.overview.trim() << "\n";
  forEachGroup(flags, [](StringRef heading, ArrayRef<const FlagBase *> listed) {
    outs() << "\n";
    printTitle((heading + ":").str());
    for (const FlagBase *flag : listed) {
      outs() << "  " << withValue(*flag) << "\n";
      printFolded(summaryWithDefault(*flag), 8, outs());
    }
  });
  if (!text.examples.empty()) {
    outs() << "\n";
    printTitle("Examples:");
    for (StringRef example : text.examples)
      outs() << "  " << example << "\n";
  }
}

/// troff: a backslash and a leading dot or quote are commands.
std::string escaped(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return (result.empty() || (result[0] != '.' && result[0] != '\'') ? "" : "\\&") + result;
}

void printMan(StringRef program, const VerbText &text, ArrayRef<FlagBase *> flags) {
  outs() << ".SH " << program.upper() << "\n.B " << escaped(usageLine(program, flags)) << "\n.PP\n"
         << escaped(text.overview.trim()) << "\n";
  forEachGroup(flags, [](StringRef heading, ArrayRef<const FlagBase *> listed) {
    outs() << ".SS " << heading << "\n";
    for (const FlagBase *flag : listed)
      outs() << ".TP\n.B " << escaped(withValue(*flag)) << "\n" << escaped(summaryWithDefault(*flag)) << "\n";
  });
  if (!text.examples.empty())
    outs() << ".SS Examples\n.nf\n";
  for (StringRef example : text.examples)
    outs() << escaped(example) << "\n";
  if (!text.examples.empty())
    outs() << ".fi\n";
}

void printJson(StringRef program, const VerbText &text, ArrayRef<FlagBase *> flags) {
  json::OStream out(outs(), 2);
  out.object([&] {
    out.attribute("program", program);
    out.attribute("usage", usageLine(program, flags));
    out.attribute("overview", text.overview.trim());
    out.attributeArray("flags", [&] {
      forEachGroup(flags, [&](StringRef heading, ArrayRef<const FlagBase *> listed) {
        for (const FlagBase *flag : listed)
          out.object([&] {
            out.attribute("name", flag->name);
            out.attribute("spelling", flag->spelling()); // what an attached value follows at once: -O2
            out.attribute("attached", flag->isAttached);
            out.attribute("optional", flag->isOptional); // the value
            out.attribute("group", heading);
            out.attribute("summary", flag->summary);
            if (flag->takesValue())
              out.attribute("value", flag->valueName);
            if (!flag->initialText.empty())
              out.attribute("default", flag->initialText);
            out.attribute("repeated", flag->isList);
          });
      });
    });
    out.attributeArray("examples", [&] {
      for (StringRef example : text.examples)
        out.value(example);
    });
  });
  outs() << "\n";
}
} // namespace

/// "balanced|speed|ram" is three words; "file.html", "n" and "batch=1 | seq=1..128" are none.
std::vector<std::string> knownFlagValues(const FlagBase &flag) {
  if (flag.offered)
    return flag.offered();
  SmallVector<StringRef> words;
  flag.valueName.split(words, '|');
  bool areWords = words.size() > 1 && llvm::all_of(words, [](StringRef word) {
                    return llvm::all_of(word, [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
                  });
  return areWords ? std::vector<std::string>(words.begin(), words.end()) : std::vector<std::string>();
}

std::string usageLine(StringRef program, ArrayRef<FlagBase *> flags) {
  std::string text = program.str();
  for (const FlagBase *flag : flags)
    if (flag->isPositional)
      text += (" " + Twine(flag->isRequired ? "" : "[") + flag->valueName + (flag->isList ? " ..." : "") +
               (flag->isRequired ? "" : "]"))
                  .str();
  for (const FlagBase *flag : flags)
    if (flag->isRequired && !flag->isPositional)
      text += " " + withValue(*flag);
  return text + " [flags]";
}

void printHelp(StringRef program, const VerbText &text, ArrayRef<FlagBase *> flags, StringRef form) {
  if (form == "man")
    printMan(program, text, flags);
  else if (form == "json")
    printJson(program, text, flags);
  else if (form == "words")
    forEachGroup(flags, [](StringRef, ArrayRef<const FlagBase *> listed) {
      for (const FlagBase *flag : listed)
        outs() << flag->spelling() << "\n";
    });
  else if (form == "values")
    forEachGroup(flags, [](StringRef, ArrayRef<const FlagBase *> listed) {
      for (const FlagBase *flag : listed)
        if (std::vector<std::string> values = knownFlagValues(*flag); !values.empty() && !flag->isAttached)
          outs() << flag->spelling() << " " << join(values, " ") << "\n";
    });
  else
    printText(program, text, flags);
}

} // namespace sinter
