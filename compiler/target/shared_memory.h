// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules of WebAssembly whose memory workers share: what a target's macros say of it.
#pragma once

#include "target/target.h"

namespace sinter {

/// Whether workers on shared memory take part in a call.
inline bool sharesMemory(const Target &target) {
  return target.isWebAssembly() && target.defines("__wasm_atomics__") == true;
}

} // namespace sinter
