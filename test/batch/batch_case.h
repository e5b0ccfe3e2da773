// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line of a batch: a model, flags of the compiler, what to do beyond compiling, and what came of it. In and out as
// JSON; main.cpp says what the members are.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace sinter {

struct BatchCase {
  std::string model;
  std::vector<std::string> flags;
  std::vector<std::string> data;        ///< folders with input_<i>.pb or .npy
  std::vector<std::string> interpreted; ///< passes behind which the interpreter runs; "all": behind each
  bool built = false;                   ///< whether the generated code is built and run too
  bool sanitized = false;
  std::string out; ///< folder for outputs
};

/// A line of a batch: an object, or nothing but the path of a model.
llvm::Expected<BatchCase> parseBatchCase(llvm::StringRef line);

/// Compiles and does what else the case asks for; to be called in a child, which it may crash. `cache`: folder for
/// runners, which serve many models.
llvm::json::Object runBatchCase(const BatchCase &one, llvm::StringRef cache);

} // namespace sinter
