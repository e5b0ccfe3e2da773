// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The templates and run-time headers that a source uses, each once, in the order of their #includes, without what is
// for other instruction sets.
#pragma once

#include "codegen/text/code.h"
#include "mlir/Support/LogicalResult.h"
#include "target/target.h"
#include <set>

namespace sinter {

/// The headers whose text stands in kws.h.
std::set<std::string> inModelHeader();

struct Amalgamation {
  PrintedCode text; ///< without #pragma once, and #include lines but those under a condition; a guard is none
  std::set<std::string> systemHeaders; ///< as <string.h>, without the brackets
};

/// `headers`: "templates/loops/map.h", .... `folder`: read from there rather than from the binary; empty for the
/// embedded ones. Gives the name of a header that does not exist in `missing`.
/// `target`: whose branches are kept; null: all of them. `standing`: those that need not be there again, such as what
/// the model's own header has.
mlir::FailureOr<Amalgamation> amalgamate(const std::set<std::string> &headers, llvm::StringRef folder,
                                         std::string &missing, const Target *target,
                                         std::set<std::string> standing = inModelHeader());

/// All headers but those of programs for GPUs, those that need the headers of libraries, and what no model calls.
std::set<std::string> headersForCpus(llvm::StringRef folder);

/// The header of a template's name: "templates/selection/topk.h" of "topk".
std::optional<std::string> findTemplate(llvm::StringRef name, llvm::StringRef folder);

/// One header as it is.
std::optional<std::string> readTemplate(llvm::StringRef header, llvm::StringRef folder);

} // namespace sinter
