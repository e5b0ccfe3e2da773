// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the conformance driver tells: on the terminal, as JSON, as docs/conformance.md.
#pragma once

#include "case.h"

namespace llvm {
class raw_ostream;
}

namespace sinter::conformance {

struct Result {
  Case one;
  Verdict verdict;
};

/// A table of counts by kind.
void printCounts(llvm::raw_ostream &out, llvm::ArrayRef<Result> results);
/// Every case that did not pass with its reason, grouped by reason.
void printReasons(llvm::raw_ostream &out, llvm::ArrayRef<Result> results);
void printJson(llvm::raw_ostream &out, llvm::ArrayRef<Result> results);
/// What printJson wrote; nothing of no file.
std::vector<Result> readResults(llvm::StringRef path, std::string &problem);
/// `onGpu`: the same cases on an emulated GPU.
void printMarkdown(llvm::raw_ostream &out, llvm::ArrayRef<Result> results, llvm::ArrayRef<Result> onGpu);
size_t countPassed(llvm::ArrayRef<Result> results);

} // namespace sinter::conformance
