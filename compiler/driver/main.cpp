// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sinter command: finds the verb (compile when none is named) and hands over. The verbs: verbs.def.
#include "driver/verbs.h"

#include "driver/signals.h"
#include "driver/version.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
struct Verb {
  StringLiteral name, summary;
  int (*run)(const sinter::Arguments &);
};
constexpr Verb verbs[] = {
#define SINTER_VERB(name, summary) {#name, summary, sinter::name##Verb},
#include "driver/verbs.def"
#undef SINTER_VERB
};

int help() {
  outs() << "sinter compiles ONNX models to C++ that stands alone.\n\n"
            "  sinter model.onnx -o libmodel.a     a static library (or .so), its header and reports beside it\n"
            "  sinter model.onnx -o folder/        readable sources\n\n";
  for (const Verb &verb : verbs)
    outs() << "  sinter " << left_justify(verb.name, 9) << verb.summary << "\n";
  outs() << "\n`sinter VERB --help` lists the flags of a verb; --version says which sinter this is.\n"
            "Exit status: 0 ok, 1 usage, 2 invalid or unsupported model, 3 verification failed, 4 internal error.\n";
  return sinter::ExitOk;
}
} // namespace

int main(int argc, char **argv) {
  sinter::installSignalHandlers();
  if (argc < 2) {
    help();
    return sinter::ExitUsage;
  }
  StringRef first = argv[1];
  if (first == "--help" || first == "-h" || first == "-help" || first == "help")
    return help();
  if (first == "--version" || first == "-version") {
    outs() << sinter::versionText() << "\n";
    return sinter::ExitOk;
  }
  const Verb *verb = &verbs[0];
  int rest = 1;
  for (const Verb &known : verbs)
    if (first == known.name) {
      verb = &known;
      rest = 2;
    }
  std::string program = "sinter " + verb->name.str();
  sinter::Arguments arguments = {program.c_str()};
  arguments.insert(arguments.end(), argv + rest, argv + argc);
  return verb->run(arguments);
}
