// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split_index.h"

#include "llvm/ADT/STLExtras.h"

namespace sinter {

static PrintedCode parenthesized(const SizeExpr &size) {
  return size.constant() ? size.print() : PrintedCode("(", size.print(), ")");
}

void printSplitIndex(Printer &out, const Identifier &item, llvm::ArrayRef<std::pair<Identifier, SizeExpr>> indices) {
  for (size_t i = 0; i < indices.size(); ++i) {
    SizeExpr behind(1);
    for (const auto &[index, size] : indices.drop_front(i + 1))
      behind = behind * size;
    PrintedCode position(item);
    if (!behind.isConstant(1))
      position = PrintedCode(position, " / ", parenthesized(behind));
    if (i > 0)
      position = PrintedCode(position, " % ", parenthesized(indices[i].second));
    out.line("const int64_t ", indices[i].first, " = ", position, ";");
  }
}

} // namespace sinter
