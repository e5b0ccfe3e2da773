// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sinter command: finds the verb (compile when none is named) and hands over. The verbs: verbs.def.
#include "codegen/packages/packages.h"
#include "driver/answer.h"
#include "driver/flags.h"
#include "driver/signals.h"
#include "driver/version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
struct Verb {
  llvm::StringLiteral name, summary;
  int (*run)(const sinter::Arguments &);
  llvm::StringLiteral of, flag; ///< of an alias; else its own name, and none

  bool isAlias() const { return !flag.empty(); }
};
constexpr Verb verbs[] = {
#define SINTER_VERB(name, summary) {#name, summary, sinter::name##Verb, #name, ""},
#define SINTER_ALIAS(name, verb, flag, summary) {name, summary, sinter::verb##Verb, #verb, flag},
#include "driver/verbs.def"
#undef SINTER_VERB
};

const Verb *findVerb(StringRef word) {
  const Verb *verb = llvm::find_if(verbs, [&](const Verb &known) { return known.name == word; });
  return verb == std::end(verbs) ? nullptr : verb;
}

int run(const Verb &verb, ArrayRef<const char *> words) {
  std::string program = "sinter " + verb.name.str();
  sinter::Arguments arguments = {program.c_str()};
  if (verb.isAlias())
    arguments.push_back(verb.flag.data());
  arguments.insert(arguments.end(), words.begin(), words.end());
  int status = verb.run(arguments);
  sinter::printAnswer(verb.of, status);
  return sinter::finishStandardOutput(status);
}

/// Colours on terminals, unless the user does without (https://no-color.org).
bool usesColors(const raw_ostream &out) {
  std::optional<std::string> without = sys::Process::GetEnv("NO_COLOR");
  return (!without || without->empty()) && out.has_colors();
}

int overview() {
  outs() << "sinter compiles ONNX models to C++ that stands alone.\n\n"
            "  sinter model.onnx -o libmodel.a     a static library (or .so), its header and reports beside it\n"
            "  sinter model.onnx -o folder/        readable sources\n\n";
  for (const Verb &verb : verbs)
    outs() << "  sinter " << left_justify(verb.name, 14) << verb.summary << "\n";
  outs() << "\n`sinter help VERB` lists the flags of a verb; --version says which sinter this is.\n"
            "Exit status: 0 ok, 1 usage, 2 invalid or unsupported model, 3 verification failed, 4 internal error.\n";
  return sinter::ExitOk;
}

/// The man page: a section per verb, made by the verbs themselves.
int manPage() {
  outs() << ".TH SINTER 1 \"\" \"" << sinter::version() << "\"\n"
         << ".SH NAME\nsinter \\- compiles ONNX models to C++ that stands alone\n"
            ".SH SYNOPSIS\n.B sinter\n[\\fIVERB\\fR] \\fIMODEL.onnx\\fR [\\fIflags\\fR]\n.SH VERBS\n";
  for (const Verb &verb : verbs)
    outs() << ".TP\n.B " << verb.name << "\n" << verb.summary << "\n";
  for (const Verb &verb : verbs)
    if (!verb.isAlias())
      run(verb, {"--help=man"});
  outs() << ".SH EXIT STATUS\n0 ok, 1 usage, 2 invalid or unsupported model, 3 verification failed, 4 internal error\n";
  return sinter::ExitOk;
}

std::string hintFor(StringRef word) {
  for (const sinter::PackageKind &kind : sinter::packageKinds())
    if (word.equals_insensitive(kind.name))
      return "`sinter MODEL.onnx --package " + kind.name.str() + " -o FOLDER` makes such a package";
  std::vector<StringRef> names(1, "help");
  for (const Verb &verb : verbs)
    names.push_back(verb.name);
  StringRef close = sinter::closestWord(word, names);
  if (close.empty() && word.size() > 3) // "serve", "quant"
    if (auto found = llvm::find_if(names, [&](StringRef name) { return name.starts_with_insensitive(word); });
        found != names.end())
      close = *found;
  return close.empty() ? "`sinter help` lists the verbs" : "did you mean `sinter " + close.str() + "`?";
}

int noVerb(StringRef word) {
  sinter::printError("'" + word + "' is neither a verb nor a file", hintFor(word));
  return sinter::ExitUsage;
}

int help(ArrayRef<const char *> words) {
  if (words.empty())
    return overview();
  if (StringRef(words[0]) == "--man")
    return manPage();
  const Verb *verb = findVerb(words[0]);
  return verb ? run(*verb, {"--help"}) : noVerb(words[0]);
}

/// A word that cannot be meant as a path.
bool isPlainWord(StringRef word) { return !word.starts_with("-") && !word.contains('.') && !word.contains('/'); }
} // namespace

int main(int argc, char **argv) {
  sinter::installSignalHandlers();
  WithColor::setAutoDetectFunction(usesColors);
  ArrayRef<const char *> words(argv + 1, argv + argc);
  if (words.empty()) {
    overview();
    return sinter::finishStandardOutput(sinter::ExitUsage);
  }
  StringRef first = words[0];
  if (first == "--help" || first == "-h" || first == "-help" || first == "help")
    return sinter::finishStandardOutput(help(words.drop_front()));
  if (first == "--version" || first == "-version") {
    outs() << sinter::versionText() << "\n";
    return sinter::finishStandardOutput(sinter::ExitOk);
  }
  if (const Verb *verb = findVerb(first))
    return run(*verb, words.drop_front());
  if (isPlainWord(first) && !sys::fs::exists(first))
    return noVerb(first);
  return run(verbs[0], words);
}
