// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source_head.h"

#include "codegen/codegen.h"
#include "codegen/text/names.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {

void printForGnu(Printer &out, const Target &target, llvm::function_ref<void()> print) {
  if (target.portable)
    out.line("#ifdef __GNUC__");
  print();
  if (target.portable)
    out.line("#endif");
}

void printGuards(Printer &out, const Target &target) {
  if (target.portable) {
    out.line("#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0");
    out.line(
        "#error \"this source needs floats that are computed as floats: on x86, build it with -msse2 -mfpmath=sse\"");
  } else {
    out.line("#if !defined(__GNUC__)");
    out.line("#error \"this source needs GCC or Clang\"");
  }
  out.line("#endif");
  out.line("#ifdef __FAST_MATH__");
  out.line("#error \"this source needs IEEE arithmetic: build it without -ffast-math\"");
  out.line("#endif");
  if (target.macros.empty())
    return;
  for (auto [i, macro] : llvm::enumerate(target.macros))
    out.line(PrintedCode::trusted(i == 0 ? "#if !defined(" : "    !defined("),
             PrintedCode::trusted(Names::legal("m" + macro).substr(1)),
             PrintedCode::trusted(i + 1 < target.macros.size() ? ") || \\" : ")"));
  std::string flags = llvm::join(target.compilerFlags(), " "); // none where the system's least is meant
  out.line("#error ", StringLiteral("made for " + target.name + ": build " +
                                    (flags.empty() ? "for " + target.triple : "with " + flags)));
  out.line("#endif");
}

void printContraction(Printer &out, const Target &target, bool fast) {
  if (fast)
    out.comment("--fast: ", Comment(givenUp()), ".");
  out.line("#ifdef __clang__");
  out.line("#pragma STDC FP_CONTRACT ", fast ? PrintedCode("ON") : PrintedCode("OFF"));
  out.line(target.portable ? PrintedCode("#elif defined(__GNUC__)") : PrintedCode("#else"));
  out.line("#pragma GCC optimize(\"fp-contract=", fast ? PrintedCode("fast") : PrintedCode("off"), "\")");
  out.line("#endif");
}

void printLibraryText(Printer &out, const Amalgamation &library, const Target &target) {
  printForGnu(out, target, [&] {
    out.line("#pragma GCC diagnostic push");
    out.line("#pragma GCC diagnostic ignored \"-Wunused-function\"");
    out.line("#pragma GCC diagnostic ignored \"-Wunused-const-variable\"");
  });
  out.blank();
  out.lines(library.text);
  printForGnu(out, target, [&] { out.line("#pragma GCC diagnostic pop"); });
}

void printStandard(Printer &out) {
  out.line("#if __cplusplus < 201703L");
  out.line("#error \"this source needs C++17: build it with -std=c++17\"");
  out.line("#endif");
}

void printSilenced(Printer &out, const Target &target) {
  out.comment("Matters of style that the project around may warn of, and how vectors would be passed: no other source "
              "calls what takes them.");
  printForGnu(out, target, [&] {
    for (StringRef warning : {"shadow", "old-style-cast", "sign-conversion", "float-equal", "psabi"})
      out.line("#pragma GCC diagnostic ignored ", StringLiteral(("-W" + warning).str()));
  });
  if (!target.isMicrocontroller())
    return;
  out.line("#if !defined(__clang__)");
  out.comment("Counters of 64 bits never come to where 32-bit pointers would wrap.");
  out.line("#pragma GCC diagnostic ignored \"-Waggressive-loop-optimizations\"");
  out.line("#endif");
}

} // namespace sinter
