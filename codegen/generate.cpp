// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way from planned IR to files: read the interface, print run (which collects the kernels), then put the source
// together around it.
#include "amalgamate.h"
#include "codegen/abi/abi_header.h"
#include "codegen/report/report.h"
#include "codegen/run/entry_printer.h"
#include "codegen/run/prepare.h"
#include "codegen/run/run_printer.h"
#include "codegen/text/element_text.h"
#include "codegen/text/unused_definitions.h"
#include "codegen/weights/weights_text.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "package.h"

using namespace mlir;

namespace sinter {
namespace {

/// What a build without the target's features, or with arithmetic that is not IEEE's, is told.
void printGuards(Printer &out, const Target &target) {
  out.line("#if !defined(__GNUC__)");
  out.line("#error \"this source needs GCC or Clang\"");
  out.line("#endif");
  out.line("#ifdef __FAST_MATH__");
  out.line("#error \"this source needs IEEE arithmetic: build it without -ffast-math\"");
  out.line("#endif");
  for (const std::string &macro : target.macros) {
    out.line("#ifndef ", Code::trusted(Names::legal("m" + macro).substr(1)));
    out.line("#error ",
             StringLiteral("made for " + target.name + ": build with " + llvm::join(target.compilerFlags(), " ")));
    out.line("#endif");
  }
}

/// Products and sums stay apart unless the source says fma, or the user does not mind.
void printContraction(Printer &out, bool fast) {
  if (fast)
    out.comment("--fast: ", Comment(givenUp()), ".");
  out.line("#ifdef __clang__");
  out.line("#pragma STDC FP_CONTRACT ", fast ? Code("ON") : Code("OFF"));
  out.line("#else");
  out.line("#pragma GCC optimize(\"fp-contract=", fast ? Code("fast") : Code("off"), "\")");
  out.line("#endif");
}

/// Before all includes, whose own messages would hide this one.
void printStandard(Printer &out) {
  out.line("#if __cplusplus < 201703L");
  out.line("#error \"this source needs C++17: build it with -std=c++17\"");
  out.line("#endif");
}

/// Warnings that would speak of nothing wrong, to the end of the source.
void printSilenced(Printer &out, const Target &target) {
  out.comment("Matters of style that the project around may warn of.");
  for (StringRef warning : {"shadow", "old-style-cast", "sign-conversion", "float-equal"})
    out.line("#pragma GCC diagnostic ignored ", StringLiteral(("-W" + warning).str()));
  if (!target.isMicrocontroller())
    return;
  out.line("#if !defined(__clang__)");
  out.comment("How GCC 7 passed an argument concerns no function here; counters of 64 bits never come to where 32-bit");
  out.comment("pointers would wrap.");
  out.line("#pragma GCC diagnostic ignored \"-Wpsabi\"");
  out.line("#pragma GCC diagnostic ignored \"-Waggressive-loop-optimizations\"");
  out.line("#endif");
}

void printFunctions(Printer &out, const KernelList &kernels) {
  out.lines(Code::trusted(kernels.structs.text().text()));
  for (const PrintedFunction &function : kernels.functions) {
    for (StringRef rest = function.comment; !rest.empty();) {
      auto [line, others] = rest.split('\n');
      out.comment(Comment(line));
      rest = others;
    }
    auto block = out.block("[[gnu::noinline]] ", function.returnsStatus ? Code("int ") : Code("void "), function.name,
                           "(", function.parameters, ")");
    out.lines(Code::trusted(function.body));
  }
}

void printRun(Printer &out, const Interface &interface, const ModelNames &names, RunPrinter &run,
              const CodegenOptions &options, bool hasWeights) {
  auto block =
      out.block("int run(const ", names.prefix, "_inputs &in, ", names.prefix, "_outputs &out, const sinter_env &env)");
  out.line("(void)in, (void)out;");
  out.line("const sinter_trace *const trace = env.trace;");
  out.line("(void)trace;");
  for (auto [i, region] : llvm::enumerate(interface.regions))
    out.line("[[maybe_unused]] void *const ", region.variable, " = env.arenas[", i, "];");
  if (run.usesArena && interface.regions.empty())
    out.line("[[maybe_unused]] void *const arena = env.arena;");
  if (interface.weightsInRam > 0)
    out.line("[[maybe_unused]] const void *const weights_in_ram = &", names.prefix, "_weights_in_ram;");
  if (run.usesWeights) {
    if (callerBringsWeights(options))
      out.line("[[maybe_unused]] const void *const weights = env.weights;");
    else if (!hasWeights)
      out.line("[[maybe_unused]] const void *const weights = nullptr;");
    else
      out.line("[[maybe_unused]] const void *const weights = &", names.prefix, "_weights;");
  }
  if (run.usesStatus)
    out.line("int status = 0;");
  out.lines(Code::trusted(withoutUnused((run.prologue.text() + run.body.text()).str(), run.defined)));
  out.line("return 0;");
}

FailureOr<std::string> printSource(func::FuncOp main, const Interface &interface, const ModelNames &names,
                                   const CodegenOptions &options, const WeightsImage &weights, KernelList &kernels) {
  RunPrinter run(interface, kernels, options);
  if (failed(run.print(main.getBody().front())))
    return failure();
  kernels.headers.insert({"runtime-lite/view.h", "runtime-lite/index.h", "runtime-lite/trace.h"});
  std::string missing;
  FailureOr<Amalgamation> templates = amalgamate(kernels.headers, options.templatesFolder, missing);
  if (failed(templates))
    return main.emitError("no template ") << missing, failure();

  Printer out;
  printOrigin(out, interface, options);
  printStandard(out);
  out.line("#include \"", names.prefix, ".h\"");
  out.blank();
  for (const std::string &header : templates->systemHeaders)
    out.line("#include <", Code::trusted(header), ">");
  out.line("#include <string.h>");
  out.blank();
  printGuards(out, options.target);
  printContraction(out, options.fast);
  printSilenced(out, options.target);
  out.blank();
  out.comment("The parts of Sinter's library that this model uses.");
  out.line("#pragma GCC diagnostic push");
  out.line("#pragma GCC diagnostic ignored \"-Wunused-function\"");
  out.line("#pragma GCC diagnostic ignored \"-Wunused-const-variable\"");
  out.blank();
  out.lines(templates->text);
  out.line("#pragma GCC diagnostic pop");
  out.blank();
  printWeights(out, options, names.prefix, names.macro, weights, interface.weightsInRam);
  out.line("namespace sinter {");
  out.line("namespace {");
  out.blank();
  out.lines(Code::trusted(run.constants.text()));
  printFunctions(out, kernels);
  out.blank();
  printRun(out, interface, names, run, options, weights.size() > 0);
  out.blank();
  printEntry(out, interface, names, options, kernels, weights.size());
  return out.take();
}

} // namespace

StringRef givenUp() {
  return "a product and the sum behind it may be rounded once instead of twice, so the last bits of results depend on "
         "the C++ compiler and the target";
}

LogicalResult generate(ModuleOp planned, const CodegenOptions &options, WeightsImage &weights,
                       std::vector<GeneratedFile> &files, std::optional<ArenaPeak> *tooLarge) {
  ModelNames names(options.prefix);
  FailureOr<Interface> interface = readInterface(planned, (names.macro.text() + "_").str());
  if (failed(interface) || failed(prepareForPrinting(planned)))
    return failure();
  KernelList kernels(options);
  auto main = planned.lookupSymbol<func::FuncOp>("main");
  FailureOr<std::string> source = printSource(main, *interface, names, options, weights, kernels);
  if (failed(source))
    return failure();
  std::string prefix = names.prefix.text().str();
  files.push_back({prefix + ".h", printAbiHeader(*interface, names, options, weights.size())});
  files.push_back({prefix + ".hpp", printWrapper(*interface, names)});
  files.push_back({prefix + ".cpp", std::move(*source)});
  files.push_back({prefix + ".cmake", printCMake(names, options)});
  files.push_back({prefix + ".flags", printFlags(options.target)});
  Report report = makeReport(kernels, *interface, planned);
  ArenaPeak peak = describePeak(report, *interface, kernels);
  if (tooLarge && (!peak.fits() || (options.arenaLimit && peak.arenaBytes > *options.arenaLimit)))
    *tooLarge = std::move(peak);
  files.push_back(
      {prefix + "_report.json", printReportJson(report, *interface, names, kernels, options, weights.size())});
  files.push_back(
      {prefix + "_report.txt", printReportText(report, *interface, names, kernels, options, weights.size())});
  return success();
}

} // namespace sinter
