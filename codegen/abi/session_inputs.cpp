// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/abi/session_inputs.h"

#include "codegen/text/element_text.h"

using namespace llvm;

namespace sinter {
namespace {

PrintedCode textOf(SessionDim dim) {
  switch (dim) {
  case SessionDim::New:
    return "fresh";
  case SessionDim::Held:
    return "held";
  case SessionDim::Encoded:
    return "session.encoded";
  case SessionDim::Total:
    break;
  }
  return "(held + fresh)";
}

/// Of two dims it says which rows are there; of four which ones each new row sees, floats being added to scores.
/// `first`: where a sequence begins; empty: with the first row.
PrintedCode maskText(const InterfaceTensor &tensor, const PrintedCode &first) {
  bool isPerRow = tensor.dims.size() == 4;
  auto choose = [isPerRow](const PrintedCode &perRow, const PrintedCode &common) { return isPerRow ? perRow : common; };
  PrintedCode counts = choose("j <= held + i % fresh", "j < held + fresh");
  if (!first.empty())
    counts = PrintedCode("(j >= ", first, " && ", counts, ")");
  if (tensor.type == ElementType::Bool)
    return counts;
  PrintedCode type = abiText(tensor.type), yes = "1", no = "0";
  if (tensor.type == ElementType::Float16) // as bits
    yes = choose("0", "0x3c00"), no = choose("0xfbff", "0");
  else if (tensor.type == ElementType::BFloat16)
    yes = choose("0", "0x3f80"), no = choose("0xff7f", "0");
  else if (tensor.type == ElementType::Float || tensor.type == ElementType::Double)
    yes = choose("0", "1"), no = choose("-3.0e38f", "0");
  return PrintedCode("static_cast<", type, ">(", counts, " ? ", yes, " : ", no, ")");
}

/// Element [i][j] of an input, i counting all dims but the last.
PrintedCode filledNumber(const InterfaceTensor &tensor, SessionInput role, const PrintedCode &first) {
  auto cast = [&](const PrintedCode &value) {
    return PrintedCode("static_cast<", abiText(tensor.type), ">(", value, ")");
  };
  PrintedCode own = first.empty() ? PrintedCode("") : PrintedCode(" - ", first);
  switch (role) {
  case SessionInput::Tokens:
    return cast("ids[i * stride + j]");
  case SessionInput::Positions:
    return cast(PrintedCode("held", own, " + j"));
  case SessionInput::Held:
  case SessionInput::Counter:
    return cast(PrintedCode("held", own));
  case SessionInput::Total:
    return cast(PrintedCode("held", own, " + fresh"));
  case SessionInput::LastRow:
    return cast(PrintedCode("held", own, " + fresh - 1"));
  case SessionInput::Mask:
    return maskText(tensor, first);
  case SessionInput::Ones:
    return tensor.type == ElementType::Bool ? PrintedCode("true") : cast("1");
  default:
    return cast("0");
  }
}

} // namespace

void printFilling(Printer &out, const SessionMemory &memory, const InterfaceTensor &input, const PrintedCode &rows,
                  const PrintedCode &columns, const PrintedCode &value) {
  auto scope = out.block("");
  out.line(abiText(input.type), " *const to = ", memory.pointerTo(input), "; // ", describeTensor(input));
  out.line("for (int64_t i = 0; i < ", rows, "; ++i)");
  out.line("  for (int64_t j = 0; j < ", columns, "; ++j)");
  out.line("    to[i * ", columns, " + j] = ", value, ";");
  out.line("in.", input.place(), " = to;");
}

void printProgramInput(Printer &out, const SessionMemory &memory, const InterfaceTensor &input, EncodeInput role,
                       const PrintedCode &open, const PrintedCode &value) {
  if (role == EncodeInput::Adapters) {
    out.line("in.", input.place(), " = session->adapters;");
    return;
  }
  if (role == EncodeInput::Made || role == EncodeInput::None) {
    out.line("in.", input.place(), " = ", memory.pointerTo(input),
             role == EncodeInput::None ? PrintedCode("; // no rows") : PrintedCode(";"));
    return;
  }
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < input.dims.size(); ++i)
    rows *= input.dims[i].max;
  const InterfaceDim &last = input.dims.back();
  PrintedCode number = role == EncodeInput::Values      ? value
                       : role == EncodeInput::Ones      ? PrintedCode("1")
                       : role == EncodeInput::Positions ? PrintedCode("j")
                                                        : PrintedCode("0");
  printFilling(out, memory, input, PrintedCode(rows), last.size >= 0 ? PrintedCode(last.size) : open,
               PrintedCode("static_cast<", abiText(input.type), ">(", number, ")"));
}

void printFirstRows(Printer &out, const SessionPlan &plan) {
  out.line("int64_t first[", plan.batch, "]; // of the rows that are held, those in front of each sequence's own");
  out.line("for (int64_t i = 0; i < ", plan.batch, "; ++i)");
  out.line("  first[i] = session.pads[i] < held ? session.pads[i] : held;");
}

void printPartsOfPadding(Printer &out, const SessionPlan &plan, const Identifier &prefix) {
  out.comment(
      "How many of `fresh` tokens a call takes: a sequence's padding ends with one, so that what is in a call is "
      "of one kind.");
  auto block = out.block("int64_t oneKind(const ", prefix, "_session &session, int64_t fresh)");
  out.line("for (int64_t i = 0; i < ", plan.batch, "; ++i)");
  out.line("  if (session.pads[i] > session.length && session.pads[i] - session.length < fresh)");
  out.line("    fresh = session.pads[i] - session.length;");
  out.line("return fresh;");
}

PrintedCode SessionInputs::dimText(StringRef symbol) const { return textOf(plan.dims.lookup(symbol)); }

/// A size in the terms of a call: a number, or rows.
PrintedCode SessionInputs::sizeText(const InterfaceDim &dim) const {
  return dim.size >= 0 ? PrintedCode(dim.size) : dimText(dim.symbol);
}

/// All dims but the last, and the last.
std::pair<PrintedCode, PrintedCode> SessionInputs::rowsAndColumns(const InterfaceTensor &tensor) const {
  int64_t known = 1;
  PrintedCode varying, columns("1");
  for (auto [i, dim] : enumerate(tensor.dims)) {
    if (i + 1 == tensor.dims.size())
      columns = sizeText(dim);
    else if (dim.size >= 0)
      known *= dim.size;
    else
      varying.append(" * ", sizeText(dim));
  }
  return {PrintedCode(known, varying), columns};
}

/// Of the sequence that row i of `rows` belongs to; empty: it is not asked.
PrintedCode SessionInputs::firstText(const InterfaceTensor &tensor, const PrintedCode &rows) const {
  constexpr size_t ofSequences = 1;
  if (!plan.hasPads || tensor.dims.empty() || tensor.dims.front().size != plan.batch)
    return "";
  if (tensor.dims.size() == ofSequences)
    return "first[j]";
  return tensor.dims.size() == ofSequences + 1 ? PrintedCode("first[i]")
                                               : PrintedCode("first[i / (", rows, " / ", plan.batch, ")]");
}

void SessionInputs::print(Printer &out, const InterfaceTensor &tensor) const {
  SessionInput role = plan.inputs.lookup(tensor.name).input;
  switch (role) {
  case SessionInput::Adapters:
    out.line("in.", tensor.place(), " = session.adapters;");
    return;
  case SessionInput::Cache:
  case SessionInput::Whole:
  case SessionInput::Encoded:
  case SessionInput::Embedded:
    out.line("in.", tensor.place(), " = ", memory.pointerTo(tensor), ";");
    return;
  default:
    break;
  }
  auto [rows, columns] = rowsAndColumns(tensor);
  PrintedCode number = filledNumber(tensor, role, firstText(tensor, rows));
  if (hasGrid && role == SessionInput::Positions && tensor.dims.size() == 3)
    number = PrintedCode("static_cast<", abiText(tensor.type), ">(held - session.behind + (grid ? place(*grid, i / ",
                         plan.batch, ", j) : j))");
  printFilling(out, memory, tensor, rows, columns, number);
}

} // namespace sinter
