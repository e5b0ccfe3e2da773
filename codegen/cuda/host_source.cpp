// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kws.cpp: the library's host side, weights and images, the tables that describe the program, a function for each
// launch, run, and what users call.
#include "codegen/abi/source_head.h"
#include "codegen/amalgamate.h"
#include "codegen/cuda/cuda_program.h"
#include "codegen/run/entry_printer.h"
#include "codegen/text/unused_definitions.h"
#include "codegen/weights/weights_text.h"
#include "ir/work.h"

using namespace mlir;

namespace sinter {
namespace {

class HostSource {
public:
  HostSource(Printer &out, const Interface &interface, const ModelNames &names, ArrayRef<PrintedProgram> programs,
             const CodegenOptions &options, const KernelList &kernels, int64_t weightsBytes)
      : out(out), interface(interface), prefix(names.prefix), macro(names.macro), names(names), programs(programs),
        options(options), kernels(kernels), weightsBytes(weightsBytes) {}

  void printTables(ArrayRef<DeviceImageFile> images) {
    std::vector<PrintedCode> rows;
    for (auto [i, image] : llvm::enumerate(images))
      rows.push_back(PrintedCode("{", image.sm, ", ", boolean(image.isPtx), ", ", boolean(image.isPortable), ", ",
                                 prefix, "_image", i, "}"));
    if (!rows.empty())
      out.line("const DeviceImage images[] = {", joinCode(rows), "};");
    rows.clear();
    for (const PrintedFunction &function : kernels.functions)
      if (function.launch)
        rows.push_back(PrintedCode("{", StringLiteral(function.name.text()), ", ", function.launch->sharedBytes, "}"));
    if (!rows.empty())
      out.line("const DeviceKernel kernelTable[] = {\n    ", joinCode(rows, ",\n    "), "};");
    out.line("const DeviceModel model = {", images.empty() ? PrintedCode("nullptr") : PrintedCode("images"), ", ",
             images.size(), ", ", rows.empty() ? PrintedCode("nullptr") : PrintedCode("kernelTable"), ", ", rows.size(),
             ", ", macro, "_ARENA_BYTES, ", weightsBytes, ", ", interface.pinnedBytes, ", ", interface.bytesOnDevice(),
             ", ",
             weightsBytes == 0 || callerBringsWeights(options) ? PrintedCode("nullptr")
                                                               : PrintedCode("&", prefix, "_weights"),
             "};");
  }

  /// The functions that run calls: each names one launch, or is one of the host.
  void printFunctionsOfRun() {
    out.lines(PrintedCode::trusted(kernels.hostStructs.text().text()));
    size_t launches = 0;
    for (auto [index, function] : llvm::enumerate(kernels.functions)) {
      if (!function.launch) {
        printKernelComment(out, kernels, index);
        printFunction(out, function);
        continue;
      }
      const size_t i = launches++;
      const Launch &launch = *function.launch;
      PrintedCode parameters("DeviceCall &call");
      if (!function.parameters.empty())
        parameters.append(", ", function.parameters);
      auto block = out.block("void ", function.name, "(", parameters, ")");
      PrintedCode arguments;
      for (const PrintedCode &name : function.parameterNames)
        arguments.append(", ", name);
      out.line("call.launch(", i, ", {", launch.x, ", ", launch.y, ", ", launch.z, "}, {", launch.threads, "}, ",
               launch.sharedBytes, arguments, ");");
    }
  }

  void printRuns() {
    for (const PrintedProgram &program : programs) {
      if (&program != &programs.front())
        out.blank();
      printRun(program);
    }
    printDispatch(out, interface, programs, names, "DeviceCall &call", "call");
  }

  void printRun(const PrintedProgram &program) {
    const RunPrinter &run = *program.run;
    if (std::string what = copyText(program.sizes, program.onlyStates); !what.empty())
      out.comment("An exact copy for ", Comment(what), ".");
    auto block = out.block("int ", program.function, "(const ", prefix, "_inputs &in, ", prefix,
                           "_outputs &out, DeviceCall &call)");
    out.line("(void)in, (void)out;");
    if (programs.size() > 1)
      out.line("call.isOf(", &program - programs.data(), ");");
    out.lines(PrintedCode::trusted(run.constants.text()));
    if (run.usesArena)
      out.line("[[maybe_unused]] void *const arena = call.arena<void>(0);");
    if (interface.pinnedBytes > 0)
      out.line("[[maybe_unused]] void *const pinned = call.pinned();");
    if (run.usesWeights)
      out.line("[[maybe_unused]] const void *const weights = call.weights<void>(0);");
    if (run.usesStatus)
      out.line("int status = 0;");
    out.lines(PrintedCode::trusted(withoutUnused((run.prologue.text() + run.body.text()).str(), run.defined)));
    out.line("return call.finish();");
  }

  void printInstance() {
    size_t copies = interface.inputs.size() + interface.outputs.size() + 2, launches = 0, words = 0;
    for (const InterfaceTensor &input : interface.inputs)
      copies += input.isState() ? 1 : 0;
    for (const PrintedProgram &program : programs) {
      Room room = roomOf(program);
      launches = std::max(launches, room.launches);
      words = std::max(words, room.words);
    }
    size_t steps = launches + 2 * copies;
    PrintedCode more(programs.size() > 1 ? PrintedCode(", ", programs.size()) : PrintedCode());
    out.line("struct ", prefix, "_instance {");
    out.line("  sinter::DeviceStorage<", std::max<size_t>(kernels.functions.size(), 1), ", ", steps, ", ", words, ", ",
             words, ", ", copies, more, "> storage;");
    out.line("};");
  }

  /// Makes the graph of each program, with the dims at their largest.
  void printPreparation() {
    out.line("const int status = (*instance)->storage.open(sinter::model, all);");
    out.line("if (status != 0 || all.plain_launches || all.trace)");
    out.line("  return status;");
    out.line(prefix, "_inputs in = {};");
    out.line(prefix, "_outputs out = {};");
    for (const SymbolicDim &dim : interface.dims)
      out.line("in.", dim.member, " = ", dim.max, ";");
    {
      auto block =
          out.blockEnding("};", "const auto prepare = [&](auto &program, const ", prefix, "_inputs &sizes) -> int");
      out.line("sinter::DeviceCall call((*instance)->storage.instance, nullptr, sinter::DeviceCall::Prepare);");
      out.line("const int made = program(sizes, out, call);");
      out.comment("Sizes that the largest dims do not fit leave it without a graph.");
      out.line("return call.status() != 0 ? made : 0;");
    }
    out.line(programs.size() == 1 ? PrintedCode("return ") : PrintedCode("int made = "),
             "prepare(sinter::", programs.front().function, ", in);");
    for (const PrintedProgram &program : programs.drop_front()) {
      out.line(prefix, "_inputs exact_", &program - programs.data(), " = in;");
      for (const ExactSize &size : program.sizes)
        out.line("exact_", &program - programs.data(), ".", size.dim, " = ", size.size, ";");
      out.line("made = made != 0 ? made : prepare(sinter::", program.function, ", exact_", &program - programs.data(),
               ");");
    }
    if (programs.size() > 1)
      out.line("return made;");
  }

  void printFunctions() {
    {
      auto block =
          out.block("int ", prefix, "_create(const sinter_cuda_options *options, ", prefix, "_instance **instance)");
      out.line("if (!instance)");
      out.line("  return sinter::kNullPointer;");
      out.line("sinter_cuda_options all = {};");
      out.line("if (options)");
      out.line(
          "  memcpy(&all, options, options->size != 0 && options->size < sizeof(all) ? options->size : sizeof(all));");
      out.line("*instance = static_cast<", prefix, "_instance *>(calloc(1, sizeof(", prefix, "_instance)));");
      out.line("if (!*instance)");
      out.line("  return sinter::kCapacityExceeded;");
      if (reads()) {
        out.comment("No graph: what a call launches depends on values that it reads.");
        out.line("return (*instance)->storage.open(sinter::model, all);");
      } else {
        printPreparation();
      }
    }
    {
      auto block = out.block("int ", prefix, "_run_with(", prefix, "_instance *instance, const ", prefix,
                             "_inputs *inputs, ", prefix, "_outputs *outputs, void *stream)");
      out.line("if (!instance || !inputs || !outputs)");
      out.line("  return sinter::kNullPointer;");
      out.line("const int status = sinter::check(*inputs, *outputs);");
      out.line("if (status)");
      out.line("  return status;");
      out.line("sinter::DeviceCall call(instance->storage.instance, stream);");
      out.line("if (call.status())");
      out.line("  return call.status();");
      out.line("return sinter::run(*inputs, *outputs, call);");
    }
    out.line("int ", prefix, "_run(", prefix, "_instance *instance, const ", prefix, "_inputs *inputs, ", prefix,
             "_outputs *outputs) {");
    out.line("  return ", prefix, "_run_with(instance, inputs, outputs, nullptr);");
    out.line("}");
    out.line("const char *", prefix, "_error(const ", prefix,
             "_instance *instance) { return instance ? instance->storage.instance.error.text : \"\"; }");
    {
      auto block = out.block("void ", prefix, "_destroy(", prefix, "_instance *instance)");
      out.line("if (instance)");
      out.line("  instance->storage.instance.close();");
      out.line("free(instance);");
    }
  }

private:
  struct Room {
    size_t launches = 0, words = 1;
  };
  /// What a call of the program names.
  Room roomOf(const PrintedProgram &program) const {
    // A longer list is sent in parts, without a graph.
    constexpr size_t mostLaunches = 4096;
    Room room;
    Work work;
    for (const PrintedCall &call : ArrayRef(kernels.calls).slice(program.firstCall, program.callCount)) {
      size_t repeats = call.op && !reads() ? std::max<int64_t>(work.repeatsOf(call.op), 1) : 1;
      if (room.launches + repeats > mostLaunches)
        repeats = 1;
      room.launches += repeats;
      room.words += repeats * kernels.functions[call.function].parameterNames.size();
    }
    return room;
  }
  /// Whether a call waits for values.
  bool reads() const {
    return llvm::any_of(programs, [](const PrintedProgram &program) { return !program.run->reads.empty(); });
  }
  static PrintedCode boolean(bool value) { return value ? PrintedCode("true") : PrintedCode("false"); }

  Printer &out;
  const Interface &interface;
  const Identifier &prefix, &macro;
  const ModelNames &names;
  ArrayRef<PrintedProgram> programs;
  const CodegenOptions &options;
  const KernelList &kernels;
  int64_t weightsBytes;
};

} // namespace

FailureOr<std::string> printHostSource(const Interface &interface, const ModelNames &names,
                                       ArrayRef<PrintedProgram> programs, const CodegenOptions &options,
                                       const KernelList &kernels, const WeightsImage &weights,
                                       ArrayRef<DeviceImageFile> images, std::string &missing) {
  std::set<std::string> headers = kernels.runHeaders;
  headers.insert({"runtime-lite/cuda/call.h", "runtime-lite/view.h", "runtime-lite/index.h", "runtime-lite/trace.h"});
  FailureOr<Amalgamation> library = amalgamate(headers, options.templatesFolder, missing, nullptr);
  if (failed(library))
    return failure();
  Printer out;
  printOrigin(out, interface, options);
  printStandard(out);
  out.line("#include \"", names.prefix, ".h\"");
  out.blank();
  library->systemHeaders.insert({"stdlib.h", "string.h"});
  for (const std::string &header : library->systemHeaders)
    out.line("#include <", PrintedCode::trusted(header), ">");
  for (const std::string &header : kernels.userHeaders)
    out.line("#include ", StringLiteral(header), " // a custom operator's");
  out.blank();
  printGuards(out, options.target);
  printContraction(out, options.target, options.fast);
  printSilenced(out, options.target);
  out.blank();
  out.comment("The parts of Sinter's library that this program uses.");
  out.line("#pragma GCC diagnostic push");
  out.line("#pragma GCC diagnostic ignored \"-Wunused-function\"");
  out.line("#pragma GCC diagnostic ignored \"-Wunused-const-variable\"");
  out.blank();
  out.lines(library->text);
  out.line("#pragma GCC diagnostic pop");
  out.blank();
  printWeights(out, options, names.prefix, names.macro, weights, 0);
  for (auto [i, image] : llvm::enumerate(images))
    printFileBytes(out, PrintedCode(names.prefix, "_image", i), image.file, options.target);
  out.line("namespace sinter {");
  out.line("namespace {");
  out.blank();
  HostSource source(out, interface, names, programs, options, kernels, weights.size());
  source.printTables(images);
  out.blank();
  source.printFunctionsOfRun();
  out.blank();
  source.printRuns();
  out.blank();
  printArgumentCheck(out, interface, names, options, kernels, weights.size());
  out.line("} // namespace");
  out.line("} // namespace sinter");
  out.blank();
  out.line("extern \"C\" {");
  source.printInstance();
  out.blank();
  source.printFunctions();
  out.line("}");
  printModelInfo(out, interface, names, options, kernels, weights.size());
  return out.take();
}

void printDeviceFunctions(Printer &out, const ModelNames &names) {
  const Identifier &prefix = names.prefix;
  out.line("/* A model on a GPU: its code, weights, scratch and graph. One thread uses an instance at a time. */");
  out.line("typedef struct ", prefix, "_instance ", prefix, "_instance;");
  out.line("/* Null options: the first GPU, all memory allocated. Where the status is not 0, the instance only has the "
           "error's text. */");
  out.line("int ", prefix, "_create(const sinter_cuda_options *options, ", prefix, "_instance **instance);");
  out.line("/* Tensors may be on the host or on the device, each. Waits for the GPU. */");
  out.line("int ", prefix, "_run(", prefix, "_instance *instance, const ", prefix, "_inputs *inputs, ", prefix,
           "_outputs *outputs);");
  out.line("/* On a stream (cudaStream_t) of the caller's; with all tensors on the device it returns before the GPU is "
           "done. */");
  out.line("int ", prefix, "_run_with(", prefix, "_instance *instance, const ", prefix, "_inputs *inputs, ", prefix,
           "_outputs *outputs, void *stream);");
  out.line("/* What the last status was about. */");
  out.line("const char *", prefix, "_error(const ", prefix, "_instance *instance);");
  out.line("void ", prefix, "_destroy(", prefix, "_instance *instance);");
}

} // namespace sinter
