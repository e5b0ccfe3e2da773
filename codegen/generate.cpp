// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way from planned IR to files: read the interface, print run (which collects the kernels), then put the source
// together around it.
#include "amalgamate.h"
#include "codegen/abi/abi_header.h"
#include "codegen/abi/source_head.h"
#include "codegen/cuda/cuda_program.h"
#include "codegen/report/report.h"
#include "codegen/run/entry_printer.h"
#include "codegen/run/prepare.h"
#include "codegen/run/run_printer.h"
#include "codegen/text/element_text.h"
#include "codegen/text/unused_definitions.h"
#include "codegen/text/width.h"
#include "codegen/weights/weights_text.h"
#include "library_file.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "package.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

void printSection(Printer &out, const Code &name) { out.line(Code::trusted(sectionBegin), name, " ========"); }

void printFunctions(Printer &out, const KernelList &kernels) {
  out.lines(Code::trusted(kernels.structs.text().text()));
  for (auto [index, function] : llvm::enumerate(kernels.functions)) {
    printKernelComment(out, kernels, index);
    printFunction(out, function);
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
                                   const CodegenOptions &options, const WeightsImage &weights, KernelList &kernels,
                                   const GeneratedFile *library) {
  RunPrinter run(interface, kernels, options);
  if (failed(run.print(main.getBody().front())))
    return failure();
  kernels.headers.insert(kernels.runHeaders.begin(), kernels.runHeaders.end());
  kernels.headers.insert(
      {"runtime-lite/view.h", "runtime-lite/index.h", "runtime-lite/trace.h", "runtime-lite/compiler.h"});
  std::string missing;
  std::set<std::string> standing = inModelHeader();
  if (library)
    standing.merge(headersForCpus(options.templatesFolder));
  FailureOr<Amalgamation> templates =
      amalgamate(kernels.headers, options.templatesFolder, missing, &options.target, std::move(standing));
  if (failed(templates))
    return main.emitError("no template ") << missing, failure();

  Printer out;
  printOrigin(out, interface, options);
  printStandard(out);
  out.line("#include \"", names.prefix, ".h\"");
  out.blank();
  if (options.target.portable)
    templates->systemHeaders.insert("float.h");
  for (const std::string &header : templates->systemHeaders)
    out.line("#include <", Code::trusted(header), ">");
  for (const std::string &header : kernels.userHeaders)
    out.line("#include ", StringLiteral(header), " // a custom operator's");
  out.blank();
  printGuards(out, options.target);
  printContraction(out, options.target, options.fast);
  printSilenced(out, options.target);
  out.blank();
  if (library)
    out.line("#include ", StringLiteral(library->name), " // Sinter's library");
  if (!templates->text.empty()) {
    printSection(out, "The parts of Sinter's library that this model uses");
    printLibraryText(out, *templates, options.target);
  }
  out.blank();
  if (weights.size() > 0 && !callerBringsWeights(options))
    printSection(out, "Weights");
  printWeights(out, options, names.prefix, names.macro, weights, interface.weightsInRam);
  out.line("namespace sinter {");
  out.line("namespace {");
  out.blank();
  printSection(out, "Kernels");
  out.lines(Code::trusted(run.constants.text()));
  printFunctions(out, kernels);
  out.blank();
  printSection(out, "One call, kernel by kernel");
  printRun(out, interface, names, run, options, weights.size() > 0);
  out.blank();
  printSection(out, "What the header declares");
  printEntry(out, interface, names, options, kernels, weights.size());
  return withContents(withinWidth(out.take()));
}

std::vector<DeviceKernelUse> usesOf(const KernelList &kernels) {
  std::vector<DeviceKernelUse> uses;
  for (const PrintedFunction &function : kernels.functions)
    uses.push_back({function.name.text().str(), "", function.launch ? function.launch->threads : 0,
                    function.launch ? function.launch->sharedBytes : 0}); // of the host: no code has it
  for (const PrintedCall &call : kernels.calls)
    if (std::string &nodes = uses[call.function].nodes; nodes.empty())
      nodes = call.nodes;
  return uses;
}

/// Of a GPU: kws.cu, its images, and kws.cpp; what the report says of them.
FailureOr<DeviceReport> generateCuda(func::FuncOp main, const Interface &interface, const ModelNames &names,
                                     const CodegenOptions &options, const WeightsImage &weights, KernelList &kernels,
                                     std::vector<GeneratedFile> &files) {
  RunPrinter run(interface, kernels, options);
  if (failed(run.print(main.getBody().front())))
    return failure();
  std::string missing;
  FailureOr<std::string> device = printDeviceSource(interface, options, kernels, missing);
  if (failed(device))
    return main.emitError("no template ") << missing, failure();
  GeneratedFile source{(names.prefix.text() + ".cu").str(), std::move(*device)};
  FailureOr<DeviceBuild> build = DeviceBuild();
  if (options.compileDevice)
    build = options.compileDevice(source, usesOf(kernels));
  if (failed(build))
    return failure();
  FailureOr<std::string> host =
      printHostSource(interface, names, run, options, kernels, weights, build->files, missing);
  if (failed(host))
    return main.emitError("no template ") << missing, failure();
  files.push_back(std::move(source));
  files.push_back({(names.prefix.text() + ".cpp").str(), std::move(*host)});
  DeviceReport report{std::move(*build), std::move(run.reads), options.target.gpu};
  LaunchSequence sequence(options.target.gpu);
  for (const PrintedCall &call : kernels.calls)
    report.times.push_back(deviceTimeOf(call, kernels.functions[call.function], options.target, sequence));
  return report;
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
  std::string prefix = names.prefix.text().str();
  std::optional<DeviceReport> device;
  if (options.target.isGpu()) {
    FailureOr<DeviceReport> made = generateCuda(main, *interface, names, options, weights, kernels, files);
    if (failed(made))
      return failure();
    device = std::move(*made);
  } else {
    std::string missing;
    FailureOr<GeneratedFile> library = GeneratedFile();
    if (options.hasLibraryFile)
      library = libraryFile(options, missing);
    if (failed(library))
      return main.emitError("no template ") << missing, failure();
    FailureOr<std::string> source =
        printSource(main, *interface, names, options, weights, kernels, options.hasLibraryFile ? &*library : nullptr);
    if (failed(source))
      return failure();
    if (options.hasLibraryFile)
      files.push_back(std::move(*library));
    files.push_back({prefix + ".hpp", withinWidth(printWrapper(*interface, names))});
    files.push_back({prefix + ".cpp", std::move(*source)});
  }
  for (const std::string &header : kernels.userHeaders)
    if (auto known = options.userHeaders.find(header); known != options.userHeaders.end())
      llvm::append_range(files, known->second);
  files.push_back({prefix + ".h", withinWidth(printAbiHeader(*interface, names, options, weights.size()))});
  if (options.example)
    files.push_back({prefix + "_example.c", withinWidth(printExample(*interface, names, options, weights.size()))});
  files.push_back({prefix + ".cmake", printCMake(*interface, names, options,
                                                 device ? device->build.files : std::vector<DeviceImageFile>())});
  files.push_back({prefix + ".flags", printFlags(options.target)});
  if (!interface->libraries.empty())
    files.push_back({prefix + ".libs", llvm::join(linkFlags(interface->libraries), "\n") + "\n"});
  Report report = makeReport(kernels, *interface, planned);
  report.device = std::move(device);
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
