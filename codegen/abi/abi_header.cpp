// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi_header.h"

#include "codegen/amalgamate.h"
#include "codegen/cuda/cuda_program.h"
#include "codegen/package.h"
#include "codegen/text/element_text.h"
#include "codegen/text/printer.h"
#include "codegen/weights/weights_text.h"

using namespace llvm;

namespace sinter {

ModelNames::ModelNames(StringRef wish) {
  Names scope;
  prefix = scope.make(legalPrefix(wish));
  macro = scope.make(prefix.text().upper());
}

void printOrigin(Printer &out, const Interface &interface, const CodegenOptions &options) {
  out.comment("SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception");
  out.comment("Made by ", Comment(options.compiler), " for ", Comment(options.target.name),
              " from the model with SHA-256 ", Comment(interface.sha256.empty() ? "unknown" : interface.sha256),
              ". It belongs to its user, without obligation.");
}

static void printStructMembers(Printer &out, const Interface &interface, bool isInput) {
  const auto &tensors = isInput ? interface.inputs : interface.outputs;
  if (!isInput && interface.mayAskForNone)
    out.line("/* All null: the call goes on with states and makes nothing else. */");
  for (ArrayRef<InterfaceTensor> value : valuesOf(tensors)) {
    std::optional<Printer::Block> parts;
    if (const auto &within = value.front().within)
      parts.emplace(out.blockEnding(PrintedCode("} ", *within, ";"), "struct"));
    for (const InterfaceTensor &tensor : value) {
      PrintedCode constness = isInput && !tensor.isState() ? PrintedCode("const ") : PrintedCode();
      out.line(constness, abiText(tensor.type), " *", tensor.member, "; /* ", describeTensor(tensor),
               describePart(tensor), describeMore(tensor), " */");
    }
  }
  if (isInput)
    for (const SymbolicDim &dim : interface.dims)
      out.line("int64_t ", dim.member, "; /* ", Comment(dim.name), ": ", dim.min, " to ", dim.max, " */");
  else
    for (const InterfaceTensor *tensor : interface.withDims())
      out.line("int64_t ", *tensor->dimsMember, "[", std::max<size_t>(tensor->dims.size(), 1),
               "]; /* written by the call",
               tensor->isState() ? PrintedCode(": what is in use behind it") : PrintedCode(), " */");
  if (tensors.empty() && (isInput ? interface.dims.empty() : interface.withDims().empty()))
    out.line("int nothing; /* a struct needs a member */");
}

/// How large a tensor is, where it lies and what its integers mean, for the preprocessor.
static void printMacros(Printer &out, const PrintedCode &prefix, const std::vector<InterfaceTensor> &tensors) {
  for (const InterfaceTensor &tensor : tensors) {
    out.line("#define ", prefix, tensor.macro, "_ELEMENTS ", tensor.maxElements());
    out.line("#define ", prefix, tensor.macro, "_BYTES ", tensor.maxBytes());
    out.line("#define ", prefix, tensor.macro, "_RANK ", tensor.dims.size());
    for (auto [i, dim] : enumerate(tensor.dims))
      out.line("#define ", prefix, tensor.macro, "_DIM_", i, " ", dim.size >= 0 ? dim.size : dim.max);
    if (tensor.scale != 0) {
      out.line("#define ", prefix, tensor.macro, "_SCALE ",
               PrintedCode::number(static_cast<double>(tensor.scale), true));
      out.line("#define ", prefix, tensor.macro, "_ZERO_POINT (", tensor.zeroPoint, ")");
    }
    if (tensor.arenaOffset)
      out.line("#define ", prefix, tensor.macro, "_OFFSET ", *tensor.arenaOffset - tensor.regionBegin);
  }
}

void printDeclarationsBegin(Printer &out) {
  out.blank();
  out.line("#ifdef __cplusplus");
  out.line("extern \"C\" {");
  out.line("#endif");
  out.blank();
}

void printDeclarationsEnd(Printer &out) {
  out.blank();
  out.line("#ifdef __cplusplus");
  out.line("}");
  out.line("#endif");
  out.line("#endif");
}

std::string printAbiHeader(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                           int64_t weightsBytes) {
  const Identifier &prefix = names.prefix, &macro = names.macro;
  Printer out;
  printOrigin(out, interface, options);
  out.line("#ifndef ", macro, "_H");
  out.line("#define ", macro, "_H");
  out.blank();
  out.line("#define ", macro, "_ABI_VERSION 1");
  out.line("#define ", macro, "_ARENA_BYTES ", interface.arenaBytes);
  out.line("#define ", macro, "_ARENA_ALIGN ", options.target.alignment);
  for (const InterfaceRegion &region : interface.regions)
    out.line("#define ", macro, "_ARENA_", region.macro, "_BYTES ", region.bytes);
  if (callerBringsWeights(options))
    out.line("#define ", macro, "_WEIGHTS_BYTES ", weightsBytes);
  if (interface.weightsInRam > 0)
    out.line("#define ", macro, "_WEIGHTS_IN_RAM_BYTES ", interface.weightsInRam);
  out.line("/* Inputs and outputs; of sizes that vary the largest. */");
  printMacros(out, PrintedCode(macro, "_INPUT_"), interface.inputs);
  printMacros(out, PrintedCode(macro, "_OUTPUT_"), interface.outputs);
  out.blank();
  out.lines(PrintedCode::trusted(*readTemplate("runtime-lite/types.h", options.templatesFolder)));
  if (options.target.isGpu())
    out.lines(PrintedCode::trusted(*readTemplate("runtime-lite/cuda/cuda_types.h", options.templatesFolder)));
  printDeclarationsBegin(out);
  {
    auto block = out.blockEnding(PrintedCode("} ", prefix, "_inputs;"), "typedef struct ", prefix, "_inputs");
    printStructMembers(out, interface, true);
  }
  out.blank();
  {
    auto block = out.blockEnding(PrintedCode("} ", prefix, "_outputs;"), "typedef struct ", prefix, "_outputs");
    printStructMembers(out, interface, false);
  }
  if (!interface.regions.empty()) {
    out.blank();
    out.line("/* Scratch, undefined between calls: one pointer per region, aligned to ", macro,
             "_ARENA_ALIGN, the fastest first. For a");
    out.line(" * sinter_env: arenas = (void *const *)&ram; or arena, one block of ", macro,
             "_ARENA_BYTES bytes for all. */");
    auto block = out.blockEnding(PrintedCode("} ", prefix, "_ram;"), "typedef struct ", prefix, "_ram");
    for (const InterfaceRegion &region : interface.regions)
      out.line("void *", region.member, "; /* ", macro, "_ARENA_", region.macro, "_BYTES */");
  }
  out.blank();
  if (!interface.libraries.empty())
    out.line("/* Programs are linked with ", Comment(join(linkFlags(interface.libraries), " ")), ". */");
  out.line("/* Calls return a sinter_status. */");
  bool isOne = interface.regions.empty();
  if (options.target.isGpu())
    printDeviceFunctions(out, names);
  else if (isOne)
    out.line("/* The arena is scratch of ", macro, "_ARENA_BYTES bytes, aligned to ", macro,
             "_ARENA_ALIGN, undefined between calls. */");
  if (!options.target.isGpu()) {
    out.line("int ", prefix, "_run(const ", prefix, "_inputs *inputs, ", prefix, "_outputs *outputs, ",
             isOne ? PrintedCode("void *arena") : PrintedCode("const ", prefix, "_ram *ram"), ");");
    out.line("int ", prefix, "_run_with(const ", prefix, "_inputs *inputs, ", prefix,
             "_outputs *outputs, const sinter_env *env);");
  }
  out.line("const sinter_model_info *", prefix, "_info(void);");
  out.line("#ifdef __GNUC__");
  out.line("__attribute__((unused))");
  out.line("#endif");
  out.line("static inline const char *", prefix, "_status_text(int status) { return sinter_text_of_status(status); }");
  printDeclarationsEnd(out);
  return out.take();
}

} // namespace sinter
