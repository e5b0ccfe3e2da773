// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kws.hpp: the ABI with spans, whose sizes are checked. Nothing in it outlives inlining, so it adds no symbols.
#include "abi_header.h"

#include "codegen/text/element_text.h"
#include "codegen/text/printer.h"

namespace sinter {
namespace {

/// How many objects of abiText a tensor holds, in terms of the inputs' dims; nothing if that depends on data.
std::optional<PrintedCode> objectsText(const InterfaceTensor &tensor, const Interface &interface) {
  int64_t known = 1;
  PrintedCode text;
  for (auto [i, dim] : llvm::enumerate(tensor.dims)) {
    if (int64_t held = tensor.heldSize(i); held >= 0) {
      known *= held;
    } else {
      const SymbolicDim *symbol = interface.findDim(dim.symbol);
      if (!symbol)
        return std::nullopt;
      text.append(" * in.", symbol->member);
    }
  }
  if (text.empty())
    return PrintedCode(abiObjects(tensor.type, known));
  if (isComplex(tensor.type))
    known *= 2;
  unsigned bits = bitWidth(tensor.type);
  if (bits == 4 || bits == 2)
    return PrintedCode("(", known, text, " + ", 8 / bits - 1, ") / ", 8 / bits);
  return PrintedCode(known, text);
}

void printWrapperMembers(Printer &out, const std::vector<InterfaceTensor> &tensors, bool isInput) {
  for (llvm::ArrayRef<InterfaceTensor> value : valuesOf(tensors)) {
    std::optional<Printer::Block> parts;
    if (const auto &within = value.front().within; within && !value.front().arenaOffset)
      parts.emplace(out.blockEnding(PrintedCode("} ", *within, ";"), "struct"));
    for (const InterfaceTensor &tensor : value) {
      if (tensor.arenaOffset)
        continue;
      PrintedCode constness = isInput && !tensor.isState() ? PrintedCode("const ") : PrintedCode();
      out.line("span<", constness, abiText(tensor.type), "> ", tensor.member, "; // ", describeTensor(tensor),
               describePart(tensor), describeMore(tensor));
    }
  }
}

/// Tensors in the arena: where they are in the caller's.
void printTensorPlaces(Printer &out, const std::vector<InterfaceTensor> &tensors, const ModelNames &names,
                       StringRef kind) {
  Names places;
  for (const InterfaceTensor &tensor : tensors) {
    if (!tensor.arenaOffset)
      continue;
    PrintedCode type = abiText(tensor.type),
                offset(names.macro, kind == "input" ? PrintedCode("_INPUT_") : PrintedCode("_OUTPUT_"), tensor.macro,
                       "_OFFSET");
    auto block =
        out.block("[[maybe_unused]] static inline span<", type, "> ", PrintedCode::trusted(kind), "_",
                  places.make(tensor.variable()),
                  tensor.region ? PrintedCode("(const ", names.prefix, "_ram &ram)") : PrintedCode("(void *arena)"));
    PrintedCode begin = tensor.region ? PrintedCode("ram.", *tensor.region) : PrintedCode("arena");
    out.line("return {reinterpret_cast<", type, " *>(static_cast<char *>(", begin, ") + ", offset, "), ",
             abiObjects(tensor.type, tensor.maxElements()), "};");
  }
}

} // namespace

std::string printWrapper(const Interface &interface, const ModelNames &names) {
  const Identifier &prefix = names.prefix, &macro = names.macro;
  Printer out;
  out.comment("SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception");
  out.comment("C++17 on top of ", prefix, ".h: the same call with spans whose sizes are checked.");
  out.line("#ifndef ", macro, "_HPP");
  out.line("#define ", macro, "_HPP");
  out.line("#if !defined(__cplusplus) || __cplusplus < 201703L");
  out.line("#error \"", prefix, ".hpp needs C++17; C and older C++ include ", prefix, ".h\"");
  out.line("#endif");
  out.line("#include \"", prefix, ".h\"");
  out.line("#if __cplusplus > 201703L");
  out.line("#include <span>");
  out.line("#endif");
  out.blank();
  out.line("namespace ", prefix, " {");
  out.blank();
  out.lines("template <class T> struct span {\n"
            "  T *data = nullptr;\n"
            "  size_t size = 0;\n"
            "  span() = default;\n"
            "  span(T *begin, size_t count) : data(begin), size(count) {}\n"
            "  template <size_t N> span(T (&array)[N]) : data(array), size(N) {}\n"
            "  template <class C>\n"
            "  span(C &&container, decltype(static_cast<T *>(container.data())) = nullptr, "
            "decltype(container.size()) * = nullptr)\n"
            "      : data(container.data()), size(container.size()) {}\n"
            "#ifdef __cpp_lib_span\n"
            "  operator std::span<T>() const { return {data, size}; }\n"
            "#endif\n"
            "};\n");
  out.blank();
  out.line("[[maybe_unused]] constexpr size_t arena_bytes = ", macro, "_ARENA_BYTES, arena_align = ", macro,
           "_ARENA_ALIGN;");
  out.blank();
  {
    auto block = out.blockEnding("};", "struct inputs");
    printWrapperMembers(out, interface.inputs, true);
    for (const SymbolicDim &dim : interface.dims)
      out.line("int64_t ", dim.member, " = ", dim.min, ";");
  }
  {
    auto block = out.blockEnding("};", "struct outputs");
    printWrapperMembers(out, interface.outputs, false);
    for (const InterfaceTensor *tensor : interface.withDims())
      out.line("int64_t ", *tensor->dimsMember, "[", std::max<size_t>(tensor->dims.size(), 1), "] = {};");
  }
  out.blank();
  out.comment("4 (capacity exceeded) for a span shorter than its tensor; else as ", prefix, "_run_with.");
  {
    auto block =
        out.block("[[maybe_unused]] static inline int run(const inputs &in, outputs &out, const sinter_env &env)");
    auto check = [&](const InterfaceTensor &tensor, const PrintedCode &side) {
      if (auto objects = objectsText(tensor, interface)) {
        out.line("if (", side, tensor.place(), ".size < static_cast<size_t>(", *objects, "))");
        out.line("  return 4;");
      }
    };
    for (const SymbolicDim &dim : interface.dims) {
      out.line("if (in.", dim.member, " < ", dim.min, " || in.", dim.member, " > ", dim.max, ")");
      out.line("  return 3;");
    }
    out.line("::", prefix, "_inputs i = {};");
    for (const InterfaceTensor &tensor : interface.inputs) {
      if (tensor.arenaOffset)
        continue;
      check(tensor, "in.");
      out.line("i.", tensor.place(), " = in.", tensor.place(), ".data;");
    }
    for (const SymbolicDim &dim : interface.dims)
      out.line("i.", dim.member, " = in.", dim.member, ";");
    out.line("::", prefix, "_outputs o = {};");
    for (const InterfaceTensor &tensor : interface.outputs) {
      if (tensor.arenaOffset)
        continue;
      check(tensor, "out.");
      out.line("o.", tensor.place(), " = out.", tensor.place(), ".data;");
    }
    out.line("const int status = ::", prefix, "_run_with(&i, &o, &env);");
    for (const InterfaceTensor *tensor : interface.withDims())
      for (size_t d = 0; d < tensor->dims.size(); ++d)
        out.line("out.", *tensor->dimsMember, "[", d, "] = o.", *tensor->dimsMember, "[", d, "];");
    out.line("(void)in, (void)out;");
    out.line("return status;");
  }
  {
    bool isOne = interface.regions.empty();
    auto block = out.block("[[maybe_unused]] static inline int run(const inputs &in, outputs &out, ",
                           isOne ? PrintedCode("void *arena") : PrintedCode("const ", prefix, "_ram &ram"), ")");
    out.line("sinter_env env = {};");
    out.line("env.size = sizeof(env);");
    out.line(isOne ? PrintedCode("env.arena = arena;")
                   : PrintedCode("env.arenas = reinterpret_cast<void *const *>(&ram);"));
    out.line("return run(in, out, env);");
  }
  printTensorPlaces(out, interface.inputs, names, "input");
  printTensorPlaces(out, interface.outputs, names, "output");
  out.line("[[maybe_unused]] static inline const sinter_model_info &info() { return *::", prefix, "_info(); }");
  out.blank();
  out.line("} // namespace ", prefix);
  out.line("#endif");
  return out.take();
}

} // namespace sinter
