// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The session's memory is one block (session_memory.h). A call fills the model's inputs (session_inputs.h), runs it,
// and counts what is held; what is taken back or copied follows from what each input is.
#include "codegen/abi/session.h"

#include "codegen/abi/session_inputs.h"
#include "codegen/text/element_text.h"
#include "codegen/text/printer.h"

using namespace llvm;

namespace sinter {
namespace {

class SessionPrinter {
public:
  SessionPrinter(const Interface &interface, const ModelNames &names, const CodegenOptions &options)
      : interface(interface), names(names), options(options), plan(*options.session), memory(interface, options),
        hasGrid(hasGridPositions(interface, plan)), inputs(plan, memory, hasGrid),
        rows(plan.embed ? embeddedRows(interface, plan) : std::nullopt) {}

  std::string print() {
    printOrigin(out, interface, options);
    out.comment("Keeps the caches of ", names.prefix, " from token to token; ", names.prefix,
                "_session.h says how to use it.");
    out.line("#include \"", names.prefix, "_session.h\"");
    for (const EncodeProgram *program : plan.programs())
      out.line("#include \"", ModelNames(program->prefix).prefix, ".h\"");
    out.blank();
    out.line("#include <string.h>");
    out.blank();
    {
      out.line("namespace {");
      out.blank();
      printPlaces();
      out.blank();
      if (plan.embed) {
        printEmbed(out, interface, names, options);
        out.blank();
      }
      if (hasGrid)
        printPlacesInPictures(out);
      printCall();
      out.blank();
      if (plan.hasPads) {
        printPartsOfPadding(out, plan, names.prefix);
        out.blank();
      }
      out.line("} // namespace");
    }
    out.blank();
    printInit();
    out.blank();
    if (!plan.encode.empty()) {
      printEncode(out, interface, names, options);
      out.blank();
    }
    printPrefill();
    out.blank();
    printRewind();
    out.blank();
    printFork();
    printFronts(out, names, options);
    return out.take();
  }

private:
  PrintedCode function(StringRef name) const { return PrintedCode(names.prefix, "_", PrintedCode::trusted(name)); }
  PrintedCode sessionType() const { return PrintedCode(names.prefix, "_session"); }

  void printPlaces() {
    out.comment("Where in a session's memory things lie, in bytes.");
    for (const SessionPlace &place : memory.places())
      out.line("constexpr size_t at_", place.name, " = ", place.offset, ";");
    out.line("constexpr size_t at_arena = ", memory.arenaOffset(), ";");
    out.line("constexpr int64_t context = ", plan.context, ", chunk = ", plan.chunk, ";");
  }

  void printCall() {
    out.comment("One call of the model: `fresh` tokens of each sequence, those of the next sequence `stride` behind.");
    auto block =
        out.block("int call(", sessionType(), " &session, const int64_t *ids, ", rowsParameter(),
                  "int64_t stride, int64_t fresh", hasGrid ? PrintedCode(", const picture *grid") : PrintedCode(""),
                  plan.hasStatesCopy ? PrintedCode(", bool isLast)") : PrintedCode(")"));
    if (plan.embed) {
      out.line("if (const int status = embed(&session, ids, ", rows ? PrintedCode("rows, ") : PrintedCode(""),
               "stride, fresh))");
      out.line("  return status;");
    }
    out.line("unsigned char *const memory = session.memory;");
    out.line("const int64_t held = session.length;");
    if (plan.hasPads)
      printFirstRows(out, plan);
    out.line(names.prefix, "_inputs in = {};");
    out.line(names.prefix, "_outputs out = {};");
    for (const InterfaceTensor &tensor : interface.inputs)
      inputs.print(out, tensor);
    for (const SymbolicDim &dim : interface.dims)
      out.line("in.", dim.member, " = ", inputs.dimText(dim.name), ";");
    for (const InterfaceTensor &tensor : interface.outputs)
      out.line("out.", tensor.place(), " = ", memory.pointerTo(tensor), ";");
    if (plan.hasStatesCopy) {
      auto isBefore = out.block("if (!isLast)");
      out.comment("Of a chunk that others follow, nobody reads more than the caches.");
      for (const InterfaceTensor &tensor : interface.outputs)
        out.line("out.", tensor.place(), " = nullptr;");
    }
    out.line("const int status = ", names.prefix, "_run_with(&in, &out, &session.env);");
    out.line("if (status != SINTER_OK)");
    out.line("  return status;");
    out.line("session.length = held + fresh;");
    out.line("session.logits = out.", logits().place(), ";");
    for (auto [i, name] : enumerate(plan.attentions))
      out.line("session.attentions[", i, "] = out.", output(name).place(), ";");
    if (!plan.hidden.empty())
      out.line("session.hidden = out.", output(plan.hidden).place(), ";");
    out.line("session.rows = fresh < ", plan.rows, " ? fresh : ", plan.rows, ";");
    out.line("return SINTER_OK;");
  }

  const InterfaceTensor &output(StringRef name) const {
    return *llvm::find_if(interface.outputs, [&](const InterfaceTensor &tensor) { return tensor.name == name; });
  }
  const InterfaceTensor &logits() const { return output(plan.logits); }

  /// Caches whose rows are there before the first call: what lies in rows that do not count is multiplied by zero.
  void printClearing() {
    for (const InterfaceTensor &tensor : interface.inputs) {
      SessionInput role = plan.inputs.lookup(tensor.name).input;
      if (tensor.isState() && !tensor.growingDim && role != SessionInput::Counter)
        out.line("memset(session->memory + at_", memory.nameOf(tensor), ", 0, ", tensor.maxBytes(), ");");
    }
  }

  void printInit() {
    out.line("size_t ", function("session_bytes"), "(void) { return ", names.macro, "_SESSION_BYTES; }");
    out.blank();
    auto block = out.block("int ", function("session_init"), "(", sessionType(),
                           " *session, void *memory, const sinter_env *env)");
    out.line("if (!session || !memory)");
    out.line("  return SINTER_NULL_POINTER;");
    out.line("if (reinterpret_cast<uintptr_t>(memory) % ", names.macro, "_SESSION_ALIGN != 0)");
    out.line("  return SINTER_MISALIGNED;");
    out.line("*session = {};");
    out.line("session->memory = static_cast<unsigned char *>(memory);");
    out.line("if (env)");
    out.line("  session->env = *env;");
    out.line("session->env.size = sizeof session->env;");
    if (!plan.programs().empty() && options.weights == "file") {
      int64_t before = 0;
      for (const EncodeProgram *program : plan.programs())
        before += weightsPlace(program->weightsBytes);
      out.line("if (!session->env.weights)");
      out.line("  return SINTER_NULL_POINTER;");
      out.line("session->weights = session->env.weights;");
      out.line("session->env.weights = static_cast<const unsigned char *>(session->weights) + ", before, ";");
    }
    out.line("if (!session->env.arena && !session->env.arenas)");
    out.line("  session->env.arena = session->memory + at_arena;");
    printClearing();
    out.line("return SINTER_OK;");
  }

  PrintedCode rowsParameter() const {
    return rows ? PrintedCode("const ", abiText(rows->type), " *rows, ") : PrintedCode("");
  }

  /// By tokens, or by rows of embeddings; `isPicture`: which have places in it.
  void printAppend(const PrintedCode &name, const PrintedCode &what, bool byRows, bool isPicture = false) {
    auto block = out.block("int ", name, "(", sessionType(), " *session, ", what,
                           isPicture ? PrintedCode(", int64_t frames, int64_t height, int64_t width)")
                                     : PrintedCode(", int64_t count)"));
    if (isPicture) {
      out.line("if (frames < 1 || height < 1 || width < 1 || frames > context || height > context || width > context)");
      out.line("  return SINTER_DIM_OUT_OF_BOUNDS;");
      out.line("const int64_t plane = height * width, count = plane > context ? plane : frames * plane;");
    }
    out.line("if (!session || (count > 0 && !", byRows ? PrintedCode("rows") : PrintedCode("ids"), "))");
    out.line("  return SINTER_NULL_POINTER;");
    out.line("if (count < 0)");
    out.line("  return SINTER_DIM_OUT_OF_BOUNDS;");
    if (!plan.encode.empty()) {
      out.line("if (session->encoded == 0)");
      out.line("  return SINTER_INVALID_DATA; // nothing is encoded yet");
    }
    if (plan.hasPads) {
      auto pads = out.block("for (const int64_t pads : session->pads)");
      out.line("if (pads < 0)");
      out.line("  return SINTER_DIM_OUT_OF_BOUNDS;");
    }
    out.line("if (count > context - session->length)");
    out.line("  return SINTER_CAPACITY_EXCEEDED;");
    if (!byRows) {
      out.comment("A table takes a negative index for one from its end, which no token is.");
      out.line("for (int64_t i = 0; i < ", plan.batch, " * count; ++i)");
      out.line("  if (ids[i] < 0)");
      out.line("    return SINTER_INDEX_OUT_OF_RANGE;");
    }
    auto loop = out.block("for (int64_t done = 0; done < count;)");
    PrintedCode most("count - done < chunk ? count - done : chunk");
    out.line("const int64_t fresh = ", plan.hasPads ? PrintedCode("oneKind(*session, ", most, ")") : most, ";");
    PrintedCode ids = byRows ? PrintedCode("nullptr, ") : PrintedCode("ids + done, ");
    PrintedCode given = !rows    ? PrintedCode("")
                        : byRows ? PrintedCode("rows + done * ", rows->width, ", ")
                                 : PrintedCode("nullptr, ");
    if (isPicture)
      out.line("const picture grid = {done, height, width};");
    out.line("if (const int status = call(*session, ", ids, given, "count, fresh",
             !hasGrid    ? PrintedCode("")
             : isPicture ? PrintedCode(", &grid")
                         : PrintedCode(", nullptr"),
             plan.hasStatesCopy ? PrintedCode(", done + fresh == count") : PrintedCode(""), "))");
    out.line("  return status;");
    out.line("done += fresh;");
    loop.close();
    if (isPicture) {
      out.line("const int64_t side = height < width ? width : height;");
      out.line("session->behind += count - (side < frames ? frames : side);");
      out.line("session->pictured = session->length;");
    }
    out.line("return SINTER_OK;");
  }

  void printPrefill() {
    printAppend(function("prefill"), "const int64_t *ids", false);
    if (rows) {
      out.blank();
      printAppend(function("prefill_rows"), PrintedCode("const ", abiText(rows->type), " *rows"), true);
    }
    if (hasGrid) {
      out.blank();
      printAppend(function("prefill_picture"), PrintedCode("const ", abiText(rows->type), " *rows"), true, true);
    }
    out.blank();
    auto block =
        out.block("int ", function("step"), "(", sessionType(), " *session, const int64_t *ids, const float **logits)");
    out.line("const int status = ", function("prefill"), "(session, ids, 1);");
    out.line("if (status == SINTER_OK && logits)");
    out.line("  *logits = session->logits;");
    out.line("return status;");
  }

  bool hasWhole() const {
    return llvm::any_of(plan.inputs, [](const auto &input) { return input.second.input == SessionInput::Whole; });
  }

  void printRewind() {
    auto block = out.block("int ", function("rewind"), "(", sessionType(), " *session, int64_t length)");
    out.line("if (!session)");
    out.line("  return SINTER_NULL_POINTER;");
    out.line("if (length < 0 || length > session->length)");
    out.line("  return SINTER_DIM_OUT_OF_BOUNDS;");
    out.line("if (length == session->length)");
    out.line("  return SINTER_OK;");
    if (hasGrid) {
      out.line("if (length != 0 && length < session->pictured) // it would have to know where each picture is");
      out.line("  return SINTER_INVALID_DATA;");
      auto isEmpty = out.block("if (length == 0)");
      out.line("session->behind = session->pictured = 0;");
    }
    if (hasWhole()) {
      out.line("if (length != 0) // the model has states that it cannot take back");
      out.line("  return SINTER_INVALID_DATA;");
      printClearing();
    }
    out.line("session->length = length;");
    out.line("session->logits = nullptr;");
    if (!plan.hidden.empty())
      out.line("session->hidden = nullptr;");
    out.line("return SINTER_OK;");
  }

  void printFork() {
    auto block = out.block("int ", function("fork"), "(", sessionType(), " *to, const ", sessionType(), " *from)");
    out.line("if (!to || !from || !to->memory || !from->memory)");
    out.line("  return SINTER_NULL_POINTER;");
    out.line("if (to == from || to->memory == from->memory)");
    out.line("  return to == from ? SINTER_OK : SINTER_INVALID_DATA;");
    for (const InterfaceTensor &tensor : interface.inputs)
      if (tensor.isState())
        printCopy(tensor);
    for (const EncodeProgram &program : plan.encode)
      for (const InterfaceTensor &tensor : program.interface.outputs)
        if (isReadByDecoder(tensor, program))
          printWholeCopy(tensor);
    if (!plan.encode.empty())
      out.line("to->encoded = from->encoded;");
    out.line("to->length = from->length;");
    out.line("to->rows = from->rows;");
    if (hasGrid)
      out.line("to->behind = from->behind, to->pictured = from->pictured;");
    if (plan.hasPads)
      out.line("memcpy(to->pads, from->pads, sizeof to->pads);");
    if (!plan.adapters.empty())
      out.line("memcpy(to->adapters, from->adapters, sizeof to->adapters);");
    out.line("to->logits = nullptr;");
    if (!plan.hidden.empty())
      out.line("to->hidden = nullptr;");
    auto isThere = out.block("if (from->logits)");
    PrintedCode place("at_", memory.nameOf(logits()));
    out.line("memcpy(to->memory + ", place, ", from->memory + ", place, ", ", logits().maxBytes(), ");");
    out.line("to->logits = ",
             PrintedCode("reinterpret_cast<", abiText(logits().type), " *>(to->memory + ", place, ");"));
    isThere.close();
    out.line("return SINTER_OK;");
  }

  bool isReadByDecoder(const InterfaceTensor &output, const EncodeProgram &program) const {
    return llvm::any_of(plan.inputs, [&](const auto &input) {
      const SessionPlan::Role &role = input.second;
      return role.input == SessionInput::Encoded && &plan.encode[role.made.program] == &program &&
             role.made.output == output.name;
    });
  }

  void printWholeCopy(const InterfaceTensor &tensor) {
    PrintedCode place("at_", memory.nameOf(tensor));
    out.line("memcpy(to->memory + ", place, ", from->memory + ", place, ", ", tensor.maxBytes(), ");");
  }

  /// Of a cache the rows that are held, else all.
  void printCopy(const InterfaceTensor &tensor) {
    SessionPlan::Role role = plan.inputs.lookup(tensor.name);
    PrintedCode place("at_", memory.nameOf(tensor));
    if (role.input == SessionInput::Counter)
      return;
    if (role.input == SessionInput::Whole) {
      printWholeCopy(tensor);
      return;
    }
    int64_t outer = 1, bytes = abiBytes(tensor.type);
    for (size_t i = 0; i < tensor.dims.size(); ++i)
      (i < role.axis ? outer : bytes) *= i == role.axis ? 1 : tensor.heldSize(i);
    int64_t pitch = bytes * tensor.heldSize(role.axis);
    out.line("for (size_t i = 0; i < ", outer, "; ++i)");
    out.line("  memcpy(to->memory + ", place, " + i * ", pitch, ", from->memory + ", place, " + i * ", pitch,
             ", static_cast<size_t>(from->length) * ", bytes, ");");
  }

  const Interface &interface;
  const ModelNames &names;
  const CodegenOptions &options;
  const SessionPlan &plan;
  SessionMemory memory;
  bool hasGrid;
  SessionInputs inputs;
  std::optional<EmbeddedRows> rows; ///< that a caller may give for tokens
  Printer out;
};

} // namespace

std::string printSessionSource(const Interface &interface, const ModelNames &names, const CodegenOptions &options) {
  return SessionPrinter(interface, names, options).print();
}

} // namespace sinter
