// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kws_encode: the programs before a decoder's first token run one behind the other, each on what the caller gives or
// what an earlier one made; the decoder reads their results where they were written.
#include "codegen/abi/session.h"

#include "codegen/abi/session_inputs.h"
#include "codegen/text/element_text.h"

namespace sinter {
namespace {

const InterfaceTensor &sourceOf(const SessionPlan &plan) {
  const EncodeProgram &first = plan.encode.front();
  return *llvm::find_if(first.interface.inputs, [&](const InterfaceTensor &input) {
    return first.inputs.lookup(input.name).input == EncodeInput::Values;
  });
}

bool isText(const InterfaceTensor &values) {
  return values.type == ElementType::Int64 || values.type == ElementType::Int32;
}

class EncodePrinter {
public:
  EncodePrinter(Printer &out, const Interface &interface, const CodegenOptions &options)
      : out(out), options(options), plan(*options.session), memory(interface, options) {}

  void print(const ModelNames &names) {
    auto [least, most] = encodeBounds(plan);
    auto block = out.block("int ", names.prefix, "_encode(", names.prefix, "_session *session, ", encodeParameter(plan),
                           ", int64_t count)");
    out.line("if (!session || !", isText(sourceOf(plan)) ? PrintedCode("ids") : PrintedCode("features"), ")");
    out.line("  return SINTER_NULL_POINTER;");
    out.line("if (count < ", least, " || count > ", most, ")");
    out.line("  return SINTER_DIM_OUT_OF_BOUNDS;");
    out.line("unsigned char *const memory = session->memory;");
    out.line("if (const int status = ", names.prefix, "_rewind(session, 0))");
    out.line("  return status;");
    out.line("session->encoded = 0;");
    if (!plan.encodedBy.empty())
      out.line("int64_t rows = 0;");
    for (const EncodeProgram &program : plan.encode)
      printProgram(program);
    if (plan.encoded)
      out.line("session->encoded = ", *plan.encoded, ";");
    else
      out.line("session->encoded = ", plan.encodedBy.empty() ? PrintedCode("count") : PrintedCode("rows"), ";");
    out.line("return SINTER_OK;");
  }

private:
  void printProgram(const EncodeProgram &program) {
    ModelNames names(program.prefix);
    bool isFirst = &program == &plan.encode.front();
    given = isFirst || plan.encodedBy.empty() ? PrintedCode("count") : PrintedCode("rows");
    auto scope = out.block("");
    out.line(names.prefix, "_inputs in = {};");
    out.line(names.prefix, "_outputs out = {};");
    for (const InterfaceTensor &input : program.interface.inputs)
      printInput(input, program.inputs.lookup(input.name).input);
    for (const SymbolicDim &dim : program.interface.dims)
      out.line("in.", dim.member, " = ", dimText(dim), ";");
    for (const InterfaceTensor &output : program.interface.outputs)
      out.line("out.", output.place(), " = ", memory.pointerTo(output), ";");
    printProgramCall(out, program, options);
    for (const InterfaceTensor &output : program.interface.outputs)
      if (isFirst && output.name == plan.encodedBy)
        out.line("rows = out.", *output.dimsMember, "[", output.dims.size() - 2, "];");
  }

  PrintedCode dimText(const SymbolicDim &dim) const { return dim.min == dim.max ? PrintedCode(dim.min) : given; }
  void printInput(const InterfaceTensor &input, EncodeInput role) {
    const InterfaceDim &last = input.dims.back();
    if (role == EncodeInput::Values && !isText(input))
      out.line("in.", input.place(), " = features;");
    else
      printProgramInput(
          out, memory, input, role, given,
          PrintedCode("ids[i * ", last.size >= 0 ? PrintedCode(last.size) : PrintedCode("count"), " + j]"));
  }

  Printer &out;
  const CodegenOptions &options;
  const SessionPlan &plan;
  SessionMemory memory;
  PrintedCode given = "count"; ///< how many a program is given
};
} // namespace

int64_t weightsPlace(int64_t bytes) { return (bytes + 4095) / 4096 * 4096; }

PrintedCode encodeParameter(const SessionPlan &plan) {
  return isText(sourceOf(plan)) ? PrintedCode("const int64_t *ids") : PrintedCode("const float *features");
}

Comment encodeComment(const SessionPlan &plan) {
  const InterfaceTensor &values = sourceOf(plan);
  std::string text = isText(values) ? "ids" : "features";
  for (auto [i, dim] : llvm::enumerate(values.dims))
    text += "[" + (i + 1 == values.dims.size() ? "count" : std::to_string(dim.max)) + "]";
  return Comment(text);
}

std::pair<int64_t, int64_t> encodeBounds(const SessionPlan &plan) {
  const InterfaceDim &last = sourceOf(plan).dims.back();
  const SymbolicDim *dim = plan.encode.front().interface.findDim(last.symbol);
  return {last.size >= 0 ? last.size : dim ? dim->min : 1, last.max};
}

void printEncode(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options) {
  EncodePrinter(out, interface, options).print(names);
}

} // namespace sinter
