// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kws_example.c: all that a caller does, once, on inputs of zeros. It compiles as it is, and is there to be changed.
#include "abi_header.h"

#include "codegen/text/element_text.h"
#include "codegen/text/printer.h"
#include "codegen/weights/weights_text.h"

using namespace llvm;

namespace sinter {
namespace {

class ExamplePrinter {
public:
  ExamplePrinter(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                 int64_t weightsBytes)
      : interface(interface), names(names), options(options),
        bringsWeights(callerBringsWeights(options) && weightsBytes > 0), isOnDevice(options.target.isGpu()) {
    for (const InterfaceTensor &tensor : interface.inputs)
      inputs.push_back({tensor, scope.make("input_" + tensor.variable()), PrintedCode(names.macro, "_INPUT_")});
    for (const InterfaceTensor &tensor : interface.outputs)
      outputs.push_back({tensor, scope.make("output_" + tensor.variable()), PrintedCode(names.macro, "_OUTPUT_")});
  }

  std::string print() {
    printOrigin(out, interface, options);
    out.comment("Calls the net once, with zeros. Link it with what was made beside it.");
    out.line("#include \"", names.prefix, ".h\"");
    out.blank();
    out.line("#include <stdio.h>");
    out.line("#include <string.h>");
    out.blank();
    printMemory();
    out.blank();
    printMain();
    return out.take();
  }

  ExampleParts parts() {
    ExampleParts parts;
    printMemory();
    parts.memory = take();
    {
      auto block = out.block("static int run_once(void)");
      printArguments();
      printCall();
      {
        auto failed = out.block("if (status != SINTER_OK)");
        out.line("return status;");
      }
      for (const Tensor &tensor : outputs)
        if (!tensor.facts.isEmpty() && tensor.facts.type != ElementType::String && !isComplex(tensor.facts.type))
          out.line("show(\"", tensor.facts.place(), "\", (double)out.", tensor.facts.place(), "[0]);");
      out.line("return status;");
    }
    parts.run = take();
    return parts;
  }

private:
  /// What is printed so far.
  std::string take() {
    std::string taken = StringRef(out.take()).trim('\n').str();
    out = Printer();
    return taken;
  }

  struct Tensor {
    const InterfaceTensor &facts;
    Identifier variable;
    PrintedCode macros;
  };

  /// Buffers of the caller, the arena, and weights that the caller brings.
  void printMemory() {
    for (const std::vector<Tensor> *tensors : {&inputs, &outputs})
      for (const Tensor &tensor : *tensors)
        if (!tensor.facts.arenaOffset && !tensor.facts.isEmpty())
          out.line("static ", abiText(tensor.facts.type), " ", tensor.variable, "[", tensor.macros, tensor.facts.macro,
                   "_BYTES / sizeof(", abiText(tensor.facts.type), ")]; /* ", describeTensor(tensor.facts), " */");
    for (const InterfaceRegion &region : interface.regions)
      printBlock(PrintedCode("region_", region.member), PrintedCode(names.macro, "_ARENA_", region.macro, "_BYTES"));
    if (interface.regions.empty() && !isOnDevice)
      printBlock("arena", PrintedCode(names.macro, "_ARENA_BYTES"));
    if (bringsWeights)
      printBlock("weights", PrintedCode(names.macro, "_WEIGHTS_BYTES"));
  }
  void printBlock(const PrintedCode &name, const PrintedCode &bytes) {
    out.line("__attribute__((aligned(", names.macro, "_ARENA_ALIGN))) static unsigned char ", name, "[", bytes,
             " > 0 ? ", bytes, " : 1];");
  }

  void printMain() {
    bool hasArguments = bringsWeights || isOnDevice;
    auto block = out.block("int main(", hasArguments ? PrintedCode("int argc, char **argv") : PrintedCode("void"), ")");
    printArguments();
    out.blank();
    printCall();
    {
      auto failed = out.block("if (status != SINTER_OK)");
      out.line("fprintf(stderr, \"", names.prefix, ": %s\\n\", ", names.prefix, "_status_text(status));");
      if (isOnDevice) {
        out.line("fprintf(stderr, \"%s\\n\", ", names.prefix, "_error(instance));");
        out.line(names.prefix, "_destroy(instance);");
      }
      out.line("return 1;");
    }
    for (const Tensor &tensor : outputs)
      printResult(tensor);
    if (isOnDevice)
      out.line(names.prefix, "_destroy(instance);");
    out.line("return 0;");
  }

  /// What is given to the call.
  void printArguments() {
    out.line(names.prefix, "_inputs in;");
    out.line(names.prefix, "_outputs out;");
    out.line("int status;");
    out.line("memset(&in, 0, sizeof in);");
    out.line("memset(&out, 0, sizeof out);");
    for (const Tensor &tensor : inputs)
      printPointer("in", tensor);
    llvm::StringMap<int64_t> sizes = sizesOfFirst();
    for (const SymbolicDim &dim : interface.dims)
      out.line("in.", dim.member, " = ", sizes[dim.name], "; /* ", dim.min, " to ", dim.max, " */");
    for (const Tensor &tensor : outputs)
      printPointer("out", tensor);
  }

  /// Of the dims of a first call: the largest, but states that grow hold the fewest rows, which the call adds to; and
  /// what dims are stated to be of these.
  llvm::StringMap<int64_t> sizesOfFirst() const {
    llvm::StringMap<int64_t> sizes;
    for (const SymbolicDim &dim : interface.dims)
      sizes[dim.name] = dim.max;
    for (const InterfaceTensor &tensor : interface.inputs)
      if (tensor.growingDim)
        for (const SymbolicDim &dim : interface.dims)
          if (dim.name == tensor.dims[*tensor.growingDim].symbol)
            sizes[dim.name] = dim.min;
    for (const SymbolicDim &dim : interface.dims)
      if (dim.polynomial) {
        int64_t sum = 0;
        for (const auto &[product, factor] : dim.polynomial->getTerms()) {
          int64_t term = factor;
          for (const std::string &name : product)
            term *= sizes[name];
          sum += term;
        }
        sizes[dim.name] = sum;
      }
    return sizes;
  }

  void printPointer(const PrintedCode &where, const Tensor &tensor) {
    const InterfaceTensor &facts = tensor.facts;
    PrintedCode to(where, ".", facts.place(), " = ");
    if (facts.isEmpty())
      return;
    if (!facts.arenaOffset)
      out.line(to, tensor.variable, ";");
    else
      out.line(to, "(", abiText(facts.type), " *)(void *)(",
               facts.region ? PrintedCode("region_", *facts.region) : "arena", " + ", tensor.macros, facts.macro,
               "_OFFSET);");
  }

  void printCall() {
    if (bringsWeights) {
      out.line("FILE *file = argc > 1 ? fopen(argv[1], \"rb\") : NULL;");
      auto missing = out.block("if (!file || fread(weights, 1, ", names.macro, "_WEIGHTS_BYTES, file) != ", names.macro,
                               "_WEIGHTS_BYTES)");
      out.line("fprintf(stderr, \"give the weights: %s ", names.prefix, "_weights.bin\\n\", argv[0]);");
      out.line("return 1;");
    }
    if (isOnDevice) {
      printDeviceCall();
      return;
    }
    for (const InterfaceRegion &region : interface.regions) {
      if (&region == interface.regions.data())
        out.line(names.prefix, "_ram ram;");
      out.line("ram.", region.member, " = region_", region.member, ";");
    }
    bool isOne = interface.regions.empty();
    if (!bringsWeights) {
      out.line("status = ", names.prefix, "_run(&in, &out, ", isOne ? PrintedCode("arena") : PrintedCode("&ram"), ");");
      return;
    }
    out.line("fclose(file);");
    out.line("sinter_env env;");
    out.line("memset(&env, 0, sizeof env);");
    out.line("env.size = sizeof env;");
    out.line(isOne ? PrintedCode("env.arena = arena;") : PrintedCode("env.arenas = (void *const *)&ram;"));
    out.line("env.weights = weights;");
    out.line("status = ", names.prefix, "_run_with(&in, &out, &env);");
  }

  /// Arena and weights on the GPU are the instance's.
  void printDeviceCall() {
    PrintedCode driver =
        bringsWeights ? PrintedCode("argc > 2 ? argv[2] : NULL") : PrintedCode("argc > 1 ? argv[1] : NULL");
    if (bringsWeights)
      out.line("fclose(file);");
    out.line(names.prefix, "_instance *instance = NULL;");
    out.line("sinter_cuda_options options;");
    out.line("memset(&options, 0, sizeof options);");
    out.line("options.size = sizeof options;");
    out.line("options.driver = ", driver, "; /* NULL: that of the GPU, libcuda.so.1 */");
    if (bringsWeights)
      out.line("options.host_weights = weights;");
    out.line("status = ", names.prefix, "_create(&options, &instance);");
    out.line("if (status == SINTER_OK)");
    out.line("  status = ", names.prefix, "_run(instance, &in, &out);");
  }

  /// The first elements.
  void printResult(const Tensor &tensor) {
    const InterfaceTensor &facts = tensor.facts;
    out.line("printf(\"", facts.place(), ":\");");
    if (facts.isEmpty()) {
      out.line("printf(\" no elements\\n\");");
      return;
    }
    auto block = out.block("for (size_t i = 0; i < ", tensor.macros, facts.macro, "_BYTES / sizeof(",
                           abiText(facts.type), ") && i < 10; ++i)");
    PrintedCode element("out.", facts.place(), "[i]");
    if (facts.type == ElementType::String)
      out.line("printf(\" %.*s\", (int)", element, ".size, ", element, ".data);");
    else if (facts.type == ElementType::Float || facts.type == ElementType::Double || isComplex(facts.type))
      out.line("printf(\" %g\", (double)", element, ");");
    else
      out.line("printf(\" %lld\", (long long)", element, ");");
    block.close();
    out.line("printf(\"\\n\");");
  }

  const Interface &interface;
  const ModelNames &names;
  const CodegenOptions &options;
  bool bringsWeights, isOnDevice;
  Names scope;
  std::vector<Tensor> inputs, outputs;
  Printer out;
};
} // namespace

std::string printExample(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                         int64_t weightsBytes) {
  return ExamplePrinter(interface, names, options, weightsBytes).print();
}

ExampleParts exampleParts(const Interface &interface, const ModelNames &names, const CodegenOptions &options) {
  return ExamplePrinter(interface, names, options, 0).parts();
}

} // namespace sinter
