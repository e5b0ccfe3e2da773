// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a decoder that takes rows of embeddings: before each call its new tokens' rows are looked up by a program of their
// own, or they are what the caller gives, such as rows that a program has made of a picture or of sound. These programs
// (front ends) are entry points beside the session's, which lends them its arena and weights.
#include "codegen/abi/session.h"

#include "codegen/abi/session_inputs.h"
#include "codegen/text/element_text.h"

namespace sinter {
namespace {

/// The decoder's inputs that hold rows of the new tokens.
std::vector<const InterfaceTensor *> embeddedInputs(const Interface &interface, const SessionPlan &plan) {
  std::vector<const InterfaceTensor *> found;
  for (const InterfaceTensor &input : interface.inputs)
    if (plan.inputs.lookup(input.name).input == SessionInput::Embedded)
      found.push_back(&input);
  return found;
}

class EmbedPrinter {
public:
  EmbedPrinter(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options)
      : out(out), interface(interface), names(names), options(options), plan(*options.session),
        memory(interface, options) {}

  void print() {
    const EncodeProgram &program = *plan.embed;
    ModelNames own(program.prefix);
    std::optional<EmbeddedRows> given = embeddedRows(interface, plan);
    if (given)
      out.comment("Rows of the new tokens: `rows`, or those that ", own.prefix, " looks up.");
    else
      out.comment("Rows of the new tokens, which ", own.prefix, " looks up.");
    PrintedCode rows = given ? PrintedCode("const ", abiText(given->type), " *rows, ") : PrintedCode("");
    auto block = out.block("int embed(", names.prefix, "_session *session, const int64_t *ids, ", rows,
                           "int64_t stride, int64_t fresh)");
    out.line("unsigned char *const memory = session->memory;");
    if (given)
      printGiven(*given);
    out.line(own.prefix, "_inputs in = {};");
    out.line(own.prefix, "_outputs out = {};");
    for (const InterfaceTensor &input : program.interface.inputs)
      printProgramInput(out, memory, input, program.inputs.lookup(input.name).input, "fresh", "ids[i * stride + j]");
    for (const SymbolicDim &dim : program.interface.dims)
      out.line("in.", dim.member, " = ", dim.min == dim.max ? PrintedCode(dim.min) : PrintedCode("fresh"), ";");
    for (const InterfaceTensor &output : program.interface.outputs)
      out.line("out.", output.place(), " = ", memory.pointerTo(output), ";");
    printProgramCall(out, program, options);
    out.line("return SINTER_OK;");
  }

private:
  void printGiven(const EmbeddedRows &given) {
    auto block = out.block("if (rows)");
    const InterfaceTensor &input = *embeddedInputs(interface, plan).front();
    out.line("const size_t bytes = ", given.width * abiBytes(given.type), " * static_cast<size_t>(fresh);");
    out.line("for (int64_t i = 0; i < ", plan.batch, "; ++i)");
    out.line("  memcpy(memory + at_", memory.nameOf(input), " + static_cast<size_t>(i) * bytes, rows + i * stride * ",
             given.width, ", bytes);");
    out.line("return SINTER_OK;");
  }

  Printer &out;
  const Interface &interface;
  const ModelNames &names;
  const CodegenOptions &options;
  const SessionPlan &plan;
  SessionMemory memory;
};

} // namespace

std::optional<EmbeddedRows> embeddedRows(const Interface &interface, const SessionPlan &plan) {
  std::vector<const InterfaceTensor *> inputs = embeddedInputs(interface, plan);
  if (inputs.size() != 1)
    return std::nullopt;
  return EmbeddedRows{inputs.front()->type, inputs.front()->dims.back().size};
}

bool hasGridPositions(const Interface &interface, const SessionPlan &plan) {
  constexpr int64_t axes = 3;
  return plan.embed && embeddedRows(interface, plan) &&
         llvm::any_of(interface.inputs, [&](const InterfaceTensor &input) {
           return plan.inputs.lookup(input.name).input == SessionInput::Positions && input.dims.size() == axes &&
                  input.dims.front().size == axes;
         });
}

void printPlacesInPictures(Printer &out) {
  out.comment("Which rows of a picture a call has, and how they lie: the first is number `done`.");
  {
    auto block = out.blockEnding("};", "struct picture");
    out.line("int64_t done, height, width;");
  }
  out.blank();
  out.comment("Its frame, row or column, of the call's row j; behind the position of the picture's first row.");
  {
    auto block = out.block("int64_t place(const picture &of, int64_t axis, int64_t j)");
    out.line("const int64_t row = of.done + j, column = row % of.width;");
    out.line("const int64_t number = axis == 0 ? row / (of.width * of.height) : axis == 1 ? row / of.width % "
             "of.height : column;");
    out.line("return number - of.done;");
  }
  out.blank();
}

void printEmbed(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options) {
  EmbedPrinter(out, interface, names, options).print();
}

static PrintedCode frontHead(const ModelNames &names, const EncodeProgram &program) {
  Identifier own = ModelNames(program.prefix).prefix;
  return PrintedCode("int ", own, "_in_session(", names.prefix, "_session *session, const ", own, "_inputs *in, ", own,
                     "_outputs *out)");
}

void printFrontDeclarations(Printer &out, const ModelNames &names, const SessionPlan &plan) {
  for (const EncodeProgram &program : plan.fronts) {
    Identifier own = ModelNames(program.prefix).prefix;
    out.line("/* ", own,
             "_run_with with the session's weights and arena, between its calls; tensors are the caller's. */");
    out.line(frontHead(names, program), ";");
  }
}

void printFronts(Printer &out, const ModelNames &names, const CodegenOptions &options) {
  for (const EncodeProgram &program : options.session->fronts) {
    out.blank();
    auto block = out.block(frontHead(names, program));
    out.line("if (!session)");
    out.line("  return SINTER_NULL_POINTER;");
    printEnvironment(out, program, options);
    out.line("return ", ModelNames(program.prefix).prefix, "_run_with(in, out, &env);");
  }
}

void printEnvironment(Printer &out, const EncodeProgram &program, const CodegenOptions &options) {
  if (options.weights != "file") {
    out.line("const sinter_env &env = session->env;");
    return;
  }
  int64_t before = 0;
  for (const EncodeProgram *each : options.session->programs()) {
    if (each == &program)
      break;
    before += weightsPlace(each->weightsBytes);
  }
  out.line("sinter_env env = session->env;");
  out.line("env.weights = static_cast<const unsigned char *>(session->weights) + ", before, ";");
}

void printProgramCall(Printer &out, const EncodeProgram &program, const CodegenOptions &options) {
  printEnvironment(out, program, options);
  out.line("if (const int status = ", ModelNames(program.prefix).prefix, "_run_with(&in, &out, &env))");
  out.line("  return status;");
}

} // namespace sinter
