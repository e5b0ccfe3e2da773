// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printer.h"

using namespace llvm;

namespace sinter {

void Printer::Block::close() {
  if (!printer)
    return;
  --printer->depth;
  printer->print(end);
  printer = nullptr;
}

void Printer::print(const PrintedCode &code) {
  if (!code.text().starts_with("#")) // directives stand at the margin
    out.append(2 * size_t(depth), ' ');
  out += code.text();
  out += '\n';
}

void Printer::lines(const PrintedCode &text) {
  StringRef rest = text.text();
  while (!rest.empty()) {
    auto [first, others] = rest.split('\n');
    if (first.empty())
      blank();
    else
      print(PrintedCode::trusted(first));
    rest = others;
  }
}

} // namespace sinter
