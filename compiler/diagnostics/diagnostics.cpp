// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing of diagnostics, and the table behind `sinter explain`.
#include "diagnostics.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
struct CodeEntry {
  StringRef number, explanation;
};
const CodeEntry codes[] = {
#define SINTER_CODE(number, name, summary, explanation) {#number, explanation},
#include "codes.def"
#undef SINTER_CODE
};
} // namespace

StringRef codeNumber(Code code) { return codes[static_cast<size_t>(code)].number; }

StringRef explainCode(StringRef number) {
  for (const CodeEntry &entry : codes)
    if (entry.number.equals_insensitive(number))
      return entry.explanation;
  return {};
}

/// "model: error: ", the word in its colour where the stream is a terminal.
static raw_ostream &begin(raw_ostream &out, StringRef model, StringRef word, HighlightColor color) {
  out << model << ": ";
  WithColor(out, color) << word << ": ";
  return out;
}

void Diagnostics::print(raw_ostream &out, StringRef model) const {
  for (const std::string &note : notes) {
    begin(out, model, "note", HighlightColor::Note).write_escaped(note) << "\n";
  }
  for (const Problem &problem : problems) {
    begin(out, model, "error", HighlightColor::Error).write_escaped(problem.message)
        << " [" << codeNumber(problem.code) << "]\n";
    const ModelPlace &place = problem.place;
    if (!place.node.empty() || !place.operatorName.empty()) {
      begin(out, model, "note", HighlightColor::Note);
      if (!place.node.empty()) {
        out << "node \"";
        out.write_escaped(place.node) << "\"" << (place.operatorName.empty() ? "" : ", ");
      }
      if (!place.operatorName.empty()) {
        out << "operator ";
        out.write_escaped(place.operatorName);
      }
      if (place.opset)
        out << ", opset " << place.opset;
      out << "\n";
    }
    if (!problem.hint.empty()) {
      begin(out, model, "hint", HighlightColor::Note).write_escaped(problem.hint) << "\n";
    }
  }
}

} // namespace sinter
