// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text files carried by the binary: cmake/SinterEmbed.cmake makes a table of them.
#pragma once

namespace sinter {
struct EmbeddedFile {
  const char *name; ///< of the file, or its path from a folder; null ends a table
  const char *text;
};
} // namespace sinter
