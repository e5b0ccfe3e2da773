// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a session fills what a call takes: of each input it is known how its numbers follow from the rows that are held
// and the new ones, so that filling it is a loop over both. Where sequences begin with padding, `first` of each is how
// many of the held rows these are: what a model is told of one sequence counts from there.
#pragma once

#include "codegen/abi/session_memory.h"
#include "codegen/text/printer.h"

namespace sinter {

/// Sets an input of `in` to its place, filled with [i][j], i counting all dims but the last.
void printFilling(Printer &out, const SessionMemory &memory, const InterfaceTensor &input, const PrintedCode &rows,
                  const PrintedCode &columns, const PrintedCode &value);

/// Before these: `first`, and how many tokens a call takes so that none has a sequence's padding and its tokens.
void printFirstRows(Printer &out, const SessionPlan &plan);
void printPartsOfPadding(Printer &out, const SessionPlan &plan, const Identifier &prefix);

/// Of the model, where `held` rows are there and `fresh` ones come.
class SessionInputs {
public:
  SessionInputs(const SessionPlan &plan, const SessionMemory &memory, bool hasGrid)
      : plan(plan), memory(memory), hasGrid(hasGrid) {}

  void print(Printer &out, const InterfaceTensor &tensor) const;
  PrintedCode dimText(llvm::StringRef symbol) const;

private:
  PrintedCode sizeText(const InterfaceDim &dim) const;
  PrintedCode firstText(const InterfaceTensor &tensor, const PrintedCode &rows) const;
  std::pair<PrintedCode, PrintedCode> rowsAndColumns(const InterfaceTensor &tensor) const;

  const SessionPlan &plan;
  const SessionMemory &memory;
  bool hasGrid; ///< rows may be those of a picture, whose positions `grid` says
};

/// The same of a program beside the model: a last dim that is open is `open`, and what its caller gives is `value`.
void printProgramInput(Printer &out, const SessionMemory &memory, const InterfaceTensor &input, EncodeInput role,
                       const PrintedCode &open, const PrintedCode &value);

} // namespace sinter
