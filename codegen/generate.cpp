// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way from planned IR to files: read the interface, print run (which collects the kernels), then put the source
// together around it.
#include "amalgamate.h"
#include "codegen/abi/abi_header.h"
#include "codegen/abi/session.h"
#include "codegen/abi/source_head.h"
#include "codegen/cuda/cuda_program.h"
#include "codegen/report/report.h"
#include "codegen/run/cpus.h"
#include "codegen/run/entry_printer.h"
#include "codegen/run/prepare.h"
#include "codegen/run/programs.h"
#include "codegen/text/element_text.h"
#include "codegen/text/unused_definitions.h"
#include "codegen/text/width.h"
#include "codegen/wasm/wasm_package.h"
#include "codegen/weights/weights_text.h"
#include "library_file.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "package.h"
#include "packages/packages.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

void printSection(Printer &out, const PrintedCode &name) {
  out.line(PrintedCode::trusted(sectionBegin), name, " ========");
}

void printFunctions(Printer &out, const KernelList &kernels) {
  out.lines(PrintedCode::trusted(kernels.structs.text().text()));
  for (auto [index, function] : llvm::enumerate(kernels.functions)) {
    printKernelComment(out, kernels, index);
    printFunction(out, function);
  }
}

void printRun(Printer &out, const Interface &interface, const ModelNames &names, const PrintedProgram &program,
              const CodegenOptions &options, bool hasWeights) {
  const RunPrinter &run = *program.run;
  if (std::string what = copyText(program.sizes, program.onlyStates); !what.empty())
    out.comment("An exact copy for ", Comment(what), ".");
  auto block = out.block("int ", program.function, "(const ", names.prefix, "_inputs &in, ", names.prefix,
                         "_outputs &out, const sinter_env &env)");
  out.line("(void)in, (void)out;");
  out.lines(PrintedCode::trusted(run.constants.text()));
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
  out.lines(PrintedCode::trusted(withoutUnused((run.prologue.text() + run.body.text()).str(), run.defined)));
  out.line("return 0;");
}

/// What a CPU runs.
struct CpuCode {
  CodegenOptions options; ///< of that CPU
  std::vector<PrintedProgram> programs;
  KernelList kernels;

  CpuCode(CodegenOptions options, std::vector<PrintedProgram> programs)
      : options(std::move(options)), programs(std::move(programs)), kernels(this->options) {}
};

/// Of a source, what stands before the weights: headers, checks of the compiler, the library's parts.
LogicalResult printHead(Printer &out, CpuCode &code, const Interface &interface, const ModelNames &names,
                        const GeneratedFile *library) {
  const CodegenOptions &options = code.options;
  KernelList &kernels = code.kernels;
  kernels.headers.insert(kernels.runHeaders.begin(), kernels.runHeaders.end());
  kernels.headers.insert(
      {"runtime-lite/view.h", "runtime-lite/index.h", "runtime-lite/trace.h", "runtime-lite/compiler.h"});
  if (options.target.usesTileRegisters() ||
      llvm::any_of(options.otherCpus, [](const Target &cpu) { return cpu.usesTileRegisters(); }))
    kernels.headers.insert("runtime-lite/tile_permission.h");
  std::string missing;
  std::set<std::string> standing = inModelHeader();
  if (library)
    standing.merge(headersForCpus(options.templatesFolder));
  FailureOr<Amalgamation> templates =
      amalgamate(kernels.headers, options.templatesFolder, missing, &options.target, std::move(standing));
  if (failed(templates))
    return code.programs.front().module.emitError("no template ") << missing, failure();

  printOrigin(out, interface, options);
  printStandard(out);
  out.line("#include \"", names.prefix, ".h\"");
  out.blank();
  if (options.target.portable)
    templates->systemHeaders.insert("float.h");
  for (const std::string &header : templates->systemHeaders)
    out.line("#include <", PrintedCode::trusted(header), ">");
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
  return success();
}

/// Kernels, and what calls them.
void printCode(Printer &out, const CpuCode &code, const Interface &interface, const ModelNames &names,
               bool hasWeights) {
  out.line("namespace sinter {");
  out.line("namespace {");
  out.blank();
  printSection(out, "Kernels");
  printFunctions(out, code.kernels);
  out.blank();
  printSection(out, "One call, kernel by kernel");
  for (const PrintedProgram &program : code.programs) {
    if (&program != &code.programs.front())
      out.blank();
    printRun(out, interface, names, program, code.options, hasWeights);
  }
  printDispatch(out, interface, code.programs, names, "const sinter_env &env", "env");
}

/// kws.cpp. `all`: the kernels of all sources.
FailureOr<std::string> printSource(CpuCode &code, const Interface &interface, const ModelNames &names,
                                   const WeightsImage &weights, const KernelList &all, const GeneratedFile *library) {
  Printer out;
  const CodegenOptions &options = code.options;
  if (failed(printHead(out, code, interface, names, library)))
    return failure();
  if (weights.size() > 0 && !callerBringsWeights(options))
    printSection(out, "Weights");
  printWeights(out, options, names.prefix, names.macro, weights, interface.weightsInRam);
  printCpuDeclarations(out, names, options);
  printCode(out, code, interface, names, weights.size() > 0);
  printCpuChoice(out, names, options);
  out.blank();
  printSection(out, "What the header declares");
  printEntry(out, interface, names, options, all, weights.size());
  return withContents(withinWidth(out.take()));
}

/// The source for another CPU, whose weights are those of kws.cpp.
FailureOr<std::string> printCpuSource(CpuCode &code, const Interface &interface, const ModelNames &names,
                                      const WeightsImage &weights, const GeneratedFile *library) {
  Printer out;
  if (failed(printHead(out, code, interface, names, library)))
    return failure();
  if (weights.size() > 0 && !callerBringsWeights(code.options))
    declareBytes(out, PrintedCode(names.prefix, "_weights"), code.options.target);
  printCode(out, code, interface, names, weights.size() > 0);
  printCpuEntry(out, names, code.options.target);
  return withContents(withinWidth(out.take()));
}

/// Of CPUs: a source for each.
FailureOr<std::vector<PrintedProgram>> generateCpus(std::vector<std::unique_ptr<CpuCode>> &cpus,
                                                    const Interface &interface, const ModelNames &names,
                                                    const WeightsImage &weights, KernelList &all,
                                                    std::vector<GeneratedFile> &files) {
  const CodegenOptions &options = cpus.front()->options;
  std::string missing, prefix = names.prefix.text().str();
  std::optional<GeneratedFile> library;
  if (options.hasLibraryFile) {
    FailureOr<GeneratedFile> made = libraryFile(options, missing);
    if (failed(made))
      return cpus.front()->programs.front().module.emitError("no template ") << missing, failure();
    files.push_back(*made);
    library = std::move(*made);
  }
  for (std::unique_ptr<CpuCode> &cpu : cpus) {
    cpu->kernels.callsBefore = all.calls.size();
    if (failed(printPrograms(cpu->programs, interface, cpu->kernels, cpu->options)))
      return failure();
    all.append(cpu->kernels);
  }
  std::vector<PrintedProgram> programs;
  for (auto [i, cpu] : llvm::enumerate(cpus)) {
    const GeneratedFile *beside = library ? &*library : nullptr;
    FailureOr<std::string> source = i == 0 ? printSource(*cpu, interface, names, weights, all, beside)
                                           : printCpuSource(*cpu, interface, names, weights, beside);
    if (failed(source))
      return failure();
    std::string stem = i == 0 ? prefix : fileStemOf(names, cpu->options.target);
    files.push_back({stem + ".cpp", std::move(*source)});
    files.push_back({stem + ".flags", printFlags(cpu->options.target)});
    for (PrintedProgram &program : cpu->programs)
      programs.push_back(std::move(program));
  }
  files.push_back({prefix + ".hpp", withinWidth(printWrapper(interface, names))});
  return programs;
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
FailureOr<DeviceReport> generateCuda(std::vector<PrintedProgram> &programs, const Interface &interface,
                                     const ModelNames &names, const CodegenOptions &options,
                                     const WeightsImage &weights, KernelList &kernels,
                                     std::vector<GeneratedFile> &files) {
  if (failed(printPrograms(programs, interface, kernels, options)))
    return failure();
  ModuleOp module = programs.front().module;
  std::string missing;
  FailureOr<std::string> device = printDeviceSource(interface, options, kernels, missing);
  if (failed(device))
    return module.emitError("no template ") << missing, failure();
  GeneratedFile source{(names.prefix.text() + ".cu").str(), std::move(*device)};
  FailureOr<DeviceBuild> build = DeviceBuild();
  if (options.compileDevice)
    build = options.compileDevice(source, usesOf(kernels));
  if (failed(build))
    return failure();
  FailureOr<std::string> host =
      printHostSource(interface, names, programs, options, kernels, weights, build->files, missing);
  if (failed(host))
    return module.emitError("no template ") << missing, failure();
  files.push_back(std::move(source));
  files.push_back({(names.prefix.text() + ".cpp").str(), std::move(*host)});
  DeviceReport report{std::move(*build), {}, options.target.gpu};
  for (const PrintedProgram &program : programs)
    llvm::append_range(report.reads, program.run->reads);
  LaunchSequence sequence(options.target.gpu);
  for (const PrintedCall &call : kernels.calls)
    report.times.push_back(deviceTimeOf(call, kernels.functions[call.function], options.target, sequence));
  return report;
}

} // namespace

StringRef givenUp() {
  return "a product and the sum behind it may be rounded once instead of twice, so the last bits of results depend on "
         "the C++ compiler and the target; GPUs from sm_80 on take 11 bits of each float that they multiply on the "
         "matrix unit";
}

LogicalResult generate(ArrayRef<ModuleOp> planned, const CodegenOptions &options, WeightsImage &weights,
                       std::vector<GeneratedFile> &files, std::optional<ArenaPeak> *tooLarge) {
  ModelNames names(options.prefix);
  std::string macroPrefix = (names.macro.text() + "_").str();
  ModuleOp first = planned.front();
  FailureOr<Interface> interface = readInterface(first, macroPrefix);
  if (failed(interface) || llvm::any_of(planned, [](ModuleOp module) { return failed(prepareForPrinting(module)); }))
    return failure();
  std::vector<std::unique_ptr<CpuCode>> cpus; // one, of a GPU as well
  size_t count = planned.size() / (1 + options.otherCpus.size());
  for (size_t i = 0; i * count < planned.size(); ++i) {
    FailureOr<std::vector<PrintedProgram>> own = programsOf(planned.slice(i * count, count), *interface, macroPrefix);
    if (failed(own))
      return failure();
    CodegenOptions ofCpu = options;
    ofCpu.target = i == 0 ? options.target : options.otherCpus[i - 1];
    for (PrintedProgram &program : *own)
      program.cpu = options.otherCpus.empty() ? "" : ofCpu.target.name;
    cpus.push_back(std::make_unique<CpuCode>(std::move(ofCpu), std::move(*own)));
  }
  KernelList kernels(options);
  FailureOr<std::vector<PrintedProgram>> programs = std::vector<PrintedProgram>();
  std::string prefix = names.prefix.text().str();
  std::optional<DeviceReport> device;
  if (options.target.isGpu()) {
    programs = std::move(cpus.front()->programs);
    FailureOr<DeviceReport> made = generateCuda(*programs, *interface, names, options, weights, kernels, files);
    if (failed(made))
      return failure();
    device = std::move(*made);
    files.push_back({prefix + ".flags", printFlags(options.target)});
  } else {
    programs = generateCpus(cpus, *interface, names, weights, kernels, files);
    if (failed(programs))
      return failure();
  }
  for (const std::string &header : kernels.userHeaders)
    if (auto known = options.userHeaders.find(header); known != options.userHeaders.end())
      llvm::append_range(files, known->second);
  files.push_back({prefix + ".h", withinWidth(printAbiHeader(*interface, names, options, weights.size()))});
  if (options.example)
    files.push_back({prefix + "_example.c", withinWidth(printExample(*interface, names, options, weights.size()))});
  if (options.session) {
    files.push_back({prefix + "_session.h", withinWidth(printSessionHeader(*interface, names, options))});
    files.push_back({prefix + "_session.cpp", withinWidth(printSessionSource(*interface, names, options))});
  }
  if (options.package == "npm")
    llvm::append_range(files, wasmPackage(*interface, names, options, weights));
  files.push_back({prefix + ".cmake", printCMake(*interface, names, options,
                                                 device ? device->build.files : std::vector<DeviceImageFile>())});
  if (!interface->libraries.empty())
    files.push_back({prefix + ".libs", llvm::join(linkFlags(interface->libraries), "\n") + "\n"});
  Report report = makeReport(kernels, *interface, *programs);
  estimateTimes(report, kernels, *interface, options.target, options.threads);
  report.device = std::move(device);
  ArenaPeak peak = describePeak(report, *interface, kernels);
  if (tooLarge && (!peak.fits() || (options.arenaLimit && peak.arenaBytes > *options.arenaLimit)))
    *tooLarge = std::move(peak);
  files.push_back(
      {prefix + "_report.json", printReportJson(report, *interface, names, kernels, options, weights.size())});
  files.push_back(
      {prefix + "_report.txt", printReportText(report, *interface, names, kernels, options, weights.size())});
  if (!options.package.empty() && options.package != "npm")
    makePackageFiles(*interface, names, options, weights.size(), files);
  return success();
}

} // namespace sinter
