// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes as people read them: "12.5 KiB".
#pragma once

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace sinter {

inline std::string kibibytes(int64_t bytes) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f KiB", static_cast<double>(bytes) / 1024);
  return text;
}

} // namespace sinter
