// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every argument is checked before any is used: null pointers, alignment, bounds of dims, the CPU.
#include "entry_printer.h"

#include "codegen/run/programs.h"
#include "codegen/text/element_text.h"
#include "codegen/weights/weights_text.h"

using namespace llvm;

namespace sinter {
namespace {

class EntryPrinter {
public:
  EntryPrinter(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options,
               const KernelList &kernels, int64_t weightsBytes)
      : out(out), interface(interface), prefix(names.prefix), macro(names.macro), options(options), kernels(kernels),
        weightsBytes(weightsBytes) {}

  void print() {
    printCheck();
    printRun();
    printInfo();
  }

  /// The elements of a tensor as far as dims tell; nothing if its size depends on data.
  std::optional<PrintedCode> elementsText(const InterfaceTensor &tensor) const {
    PrintedCode product;
    for (auto [i, dim] : llvm::enumerate(tensor.dims)) {
      if (tensor.heldSize(i) >= 0)
        continue;
      const SymbolicDim *symbol = interface.findDim(dim.symbol);
      if (!symbol)
        return std::nullopt;
      product.append(product.empty() ? PrintedCode("in.") : PrintedCode(" * in."), symbol->member);
    }
    return product;
  }

  /// Of dims that are within their bounds.
  PrintedCode polynomialText(const NamedPolynomial &polynomial) const {
    PrintedCode text;
    for (const auto &[product, factor] : polynomial.getTerms()) {
      PrintedCode term = product.empty() || factor != 1 ? PrintedCode(factor) : PrintedCode();
      for (const std::string &name : product)
        term.append(term.empty() ? PrintedCode("in.") : PrintedCode(" * in."), interface.findDim(name)->member);
      text.append(text.empty() ? PrintedCode() : PrintedCode(" + "), term);
    }
    return text;
  }

  bool mayBeEmpty(const InterfaceTensor &tensor) const {
    return llvm::any_of(llvm::seq<size_t>(0, tensor.dims.size()), [&](size_t i) {
      const SymbolicDim *symbol = interface.findDim(tensor.dims[i].symbol);
      int64_t held = tensor.heldSize(i);
      return held == 0 || (held < 0 && (!symbol || symbol->min == 0));
    });
  }

  void printPointerCheck(const InterfaceTensor &tensor, const PrintedCode &pointer) {
    if (tensor.isEmpty())
      return;
    if (tensor.arenaOffset) {
      out.line("if (", pointer, " && static_cast<const void *>(", pointer, ") != static_cast<const char *>(",
               tensor.region ? PrintedCode("env.arenas[", tensor.regionNumber, "]") : PrintedCode("env.arena"), ") + ",
               *tensor.arenaOffset - tensor.regionBegin, ")");
      out.line("  return kMisaligned;");
      return;
    }
    std::optional<PrintedCode> elements = elementsText(tensor);
    if (mayBeEmpty(tensor) && elements)
      out.line("if (!", pointer, " && ", *elements, " != 0)");
    else // a size that depends on data is known too late
      out.line("if (!", pointer, ")");
    out.line("  return kNullPointer;");
    int64_t align = tensor.type == ElementType::String ? 0 : abiBytes(tensor.type);
    if (align > 1 || align == 0) {
      out.line("if (!isAligned(", pointer, ", ",
               align ? PrintedCode("sizeof(", abiText(tensor.type), ")") : PrintedCode("alignof(sinter_string)"), "))");
      out.line("  return kMisaligned;");
    }
  }

  void printArenaCheck(const PrintedCode &pointer) {
    out.line("if (!", pointer, ")");
    out.line("  return kNullPointer;");
    out.line("if (!isAligned(", pointer, ", ", macro, "_ARENA_ALIGN))");
    out.line("  return kMisaligned;");
  }

  /// One block of memory serves for all regions.
  void printRegions() {
    if (interface.regions.empty())
      return;
    out.line("void *regions[", interface.regions.size(), "];");
    auto block = out.block("if (all.arena && !all.arenas)");
    for (auto [i, region] : llvm::enumerate(interface.regions))
      out.line("regions[", i, "] = ",
               region.begin ? PrintedCode("static_cast<char *>(all.arena) + ", region.begin) : PrintedCode("all.arena"),
               ";");
    out.line("all.arenas = regions;");
  }

  void printCheck() {
    out.comment("What the caller gives is checked before anything is read or written.");
    PrintedCode env(options.target.isGpu() ? PrintedCode(")") : PrintedCode(", const sinter_env &env)"));
    auto block = out.block("int check(", "const ", prefix, "_inputs &in, const ", prefix, "_outputs &out", env);
    out.line(options.target.isGpu() ? PrintedCode("(void)in, (void)out;")
                                    : PrintedCode("(void)in, (void)out, (void)env;"));
    for (const std::string &feature : options.target.checks) {
      out.line("if (!__builtin_cpu_supports(", StringLiteral(feature), "))");
      out.line("  return kUnsupportedCpu;");
    }
    if (options.target.usesTileRegisters()) { // behind that: only where the CPU has them the system can give them
      out.line("if (!mayUseTileRegisters())");
      out.line("  return kUnsupportedCpu;");
    }
    for (const SymbolicDim &dim : interface.dims) {
      out.line("if (in.", dim.member, " < ", dim.min, " || in.", dim.member, " > ", dim.max, ")");
      out.line("  return kDimOutOfBounds;");
    }
    for (const SymbolicDim &dim : interface.dims)
      if (dim.polynomial) {
        out.line("if (in.", dim.member, " != ", polynomialText(*dim.polynomial), ")");
        out.line("  return kDimOutOfBounds;");
      }
    if (!interface.regions.empty()) { // tensors may lie in them
      out.line("if (!env.arenas)");
      out.line("  return kNullPointer;");
      out.line("if (env.arena && env.arena_bytes != 0 && env.arena_bytes < ", macro, "_ARENA_BYTES)");
      out.line("  return kCapacityExceeded;");
    }
    for (auto [i, region] : llvm::enumerate(interface.regions))
      if (region.bytes > 0)
        printArenaCheck(PrintedCode("env.arenas[", i, "]"));
    for (const InterfaceTensor &tensor : interface.inputs)
      printPointerCheck(tensor, PrintedCode("in.", tensor.place()));
    {
      std::optional<Printer::Block> asks;
      if (interface.mayAskForNone)
        asks.emplace(out.block("if (", asksForOutputs(interface), ")"));
      for (const InterfaceTensor &tensor : interface.outputs)
        printPointerCheck(tensor, PrintedCode("out.", tensor.place()));
    }
    if (options.target.isGpu()) { // arena and weights are the instance's
      out.line("return 0;");
      return;
    }
    if (interface.regions.empty() && interface.arenaBytes > 0) {
      printArenaCheck(PrintedCode("env.arena"));
      out.line("if (env.arena_bytes != 0 && env.arena_bytes < ", macro, "_ARENA_BYTES)");
      out.line("  return kCapacityExceeded;");
    }
    if (callerBringsWeights(options) && weightsBytes > 0) {
      out.line("if (!env.weights)");
      out.line("  return kNullPointer;");
      out.line("if (!isAligned(env.weights, ", options.target.alignment, "))");
      out.line("  return kMisaligned;");
    }
    out.line("return 0;");
  }

  void printRun() {
    out.blank();
    out.line("} // namespace");
    out.line("} // namespace sinter");
    out.blank();
    {
      auto block = out.block("extern \"C\" int ", prefix, "_run_with(const ", prefix, "_inputs *inputs, ", prefix,
                             "_outputs *outputs, const sinter_env *env)");
      out.line("if (!inputs || !outputs || !env)");
      out.line("  return sinter::kNullPointer;");
      out.comment("A caller built with an older header has a shorter struct; what it lacks is absent.");
      out.line("sinter_env all = {};");
      out.line("memcpy(&all, env, env->size != 0 && env->size < sizeof(all) ? env->size : sizeof(all));");
      printRegions();
      if (!options.target.checks.empty() || !options.otherCpus.empty())
        out.line("__builtin_cpu_init();");
      out.line("const int status = sinter::check(*inputs, *outputs, all);");
      out.line("if (status)");
      out.line("  return status;");
      out.line("return sinter::", options.otherCpus.empty() ? PrintedCode("run") : PrintedCode("runOnThisCpu"),
               "(*inputs, *outputs, all);");
    }
    out.blank();
    {
      bool isOne = interface.regions.empty();
      auto block = out.block("extern \"C\" int ", prefix, "_run(const ", prefix, "_inputs *inputs, ", prefix,
                             "_outputs *outputs, ",
                             isOne ? PrintedCode("void *arena") : PrintedCode("const ", prefix, "_ram *ram"), ")");
      out.line("sinter_env env = {};");
      out.line("env.size = sizeof(env);");
      out.line(isOne ? PrintedCode("env.arena = arena;")
                     : PrintedCode("env.arenas = reinterpret_cast<void *const *>(ram);"));
      out.line("return ", prefix, "_run_with(inputs, outputs, &env);");
    }
  }

  void printTensors(const std::vector<InterfaceTensor> &tensors, const PrintedCode &name) {
    std::vector<PrintedCode> rows;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const InterfaceTensor &tensor = tensors[i];
      PrintedCode dims("nullptr"), symbols("nullptr"), largest("nullptr");
      if (!tensor.dims.empty()) {
        std::vector<PrintedCode> sizes, names, bounds;
        for (auto [d, dim] : llvm::enumerate(tensor.dims)) {
          sizes.push_back(tensor.heldSize(d));
          bounds.push_back(dim.max);
          names.push_back(dim.symbol.empty() ? PrintedCode("nullptr") : PrintedCode(StringLiteral(dim.symbol)));
        }
        dims = PrintedCode(name, "Dims", i);
        symbols = PrintedCode(name, "Symbols", i);
        out.line("const int64_t ", dims, "[] = {", joinCode(sizes), "};");
        if (!tensor.isStatic()) {
          largest = PrintedCode(name, "Largest", i);
          out.line("const int64_t ", largest, "[] = {", joinCode(bounds), "};");
        }
        out.line("const char *const ", symbols, "[] = {", joinCode(names), "};");
      }
      rows.push_back(PrintedCode(
          "{", StringLiteral(tensor.name), ", ", tensor.name.size(), ", ", static_cast<int>(tensor.type), ", ",
          tensor.dims.size(), ", ", dims, ", ", symbols, ", ", PrintedCode::number(tensor.scale, true), ", ",
          tensor.zeroPoint, ", ", largest, ", ",
          tensor.isState() ? PrintedCode(StringLiteral(tensor.state)) : PrintedCode("nullptr"), ", ",
          tensor.state.size(), ", ", std::max(tensor.stateIndex, 0), ", ", tensor.arenaOffset.value_or(-1), ", ",
          tensor.part.empty() ? PrintedCode("nullptr") : PrintedCode(StringLiteral(tensor.part)), "}"));
    }
    if (!rows.empty())
      out.line("const sinter_tensor_info ", name, "[] = {\n    ", joinCode(rows, ",\n    "), "};");
  }

  void printInfo() {
    out.blank();
    out.line("namespace {");
    printTensors(interface.inputs, "inputInfo");
    printTensors(interface.outputs, "outputInfo");
    std::vector<PrintedCode> dims, calls;
    for (const SymbolicDim &dim : interface.dims)
      dims.push_back(PrintedCode("{", StringLiteral(dim.name), ", ", dim.min, ", ", dim.max, "}"));
    if (!dims.empty())
      out.line("const sinter_dim_info dimInfo[] = {", joinCode(dims), "};");
    for (const PrintedCall &call : kernels.calls)
      calls.push_back(PrintedCode("{", StringLiteral(kernels.functions[call.function].name.text()), ", ",
                                  StringLiteral(call.nodes), "}"));
    if (!calls.empty())
      out.line("const sinter_kernel_info kernelInfo[] = {\n    ", joinCode(calls, ",\n    "), "};");
    std::vector<PrintedCode> regions;
    for (const InterfaceRegion &region : interface.regions)
      regions.push_back(PrintedCode("{", StringLiteral(region.name), ", ", region.begin, ", ", region.bytes, "}"));
    if (!regions.empty())
      out.line("const sinter_region_info regionInfo[] = {", joinCode(regions), "};");
    auto orNull = [](bool present, const PrintedCode &name) { return present ? name : PrintedCode("nullptr"); };
    out.line("const sinter_model_info modelInfo = {");
    out.line("    sizeof(sinter_model_info), ", StringLiteral(prefix.text()), ", ", StringLiteral(interface.sha256),
             ", ", StringLiteral(options.compiler), ", ", StringLiteral(options.target.name), ",");
    out.line("    ", interface.inputs.size(), ", ", interface.outputs.size(), ", ", interface.dims.size(), ", ",
             kernels.calls.size(), ",");
    out.line("    ", orNull(!interface.inputs.empty(), "inputInfo"), ", ",
             orNull(!interface.outputs.empty(), "outputInfo"), ", ", orNull(!dims.empty(), "dimInfo"), ", ",
             orNull(!calls.empty(), "kernelInfo"), ",");
    out.line("    ", macro, "_ARENA_BYTES, ", macro, "_ARENA_ALIGN, ", weightsBytes, ", ",
             orNull(!regions.empty(), "regionInfo"), ", ", regions.size(), "};");
    out.line("} // namespace");
    out.blank();
    out.line("extern \"C\" const sinter_model_info *", prefix, "_info(void) { return &modelInfo; }");
  }

private:
  Printer &out;
  const Interface &interface;
  const Identifier &prefix, &macro;
  const CodegenOptions &options;
  const KernelList &kernels;
  int64_t weightsBytes;
};

} // namespace

void printEntry(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                const KernelList &kernels, int64_t weightsBytes) {
  EntryPrinter(out, interface, names, options, kernels, weightsBytes).print();
}
void printArgumentCheck(Printer &out, const Interface &interface, const ModelNames &names,
                        const CodegenOptions &options, const KernelList &kernels, int64_t weightsBytes) {
  EntryPrinter(out, interface, names, options, kernels, weightsBytes).printCheck();
}
void printModelInfo(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                    const KernelList &kernels, int64_t weightsBytes) {
  EntryPrinter(out, interface, names, options, kernels, weightsBytes).printInfo();
}

} // namespace sinter
