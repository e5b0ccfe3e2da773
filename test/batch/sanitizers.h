// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags with which generated code stops at what it must not do.
#pragma once

#include "driver/cxx.h"

namespace sinter {

/// AddressSanitizer, UndefinedBehaviorSanitizer and all warnings, for a Clang with lld. Unoptimized code has every
/// access that the source has, and compiles fastest.
inline void addSanitizers(Cxx &cxx) {
  for (const char *flag : {"-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wall", "-Wextra",
                           "-Wconversion", "-Werror", "-pedantic", "-fuse-ld=lld", "-Wno-unused-command-line-argument"})
    cxx.flags.push_back(flag);
}

} // namespace sinter
