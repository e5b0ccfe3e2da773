// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which macros the compilers of a target define, as far as that does not depend on the compiler: what other instruction
// sets have is left out of generated code (codegen/text/conditions.h).
#include "target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace sinter {

/// How the macros of an architecture begin.
static bool belongsTo(StringRef macro, const Triple &triple) {
  if (macro.starts_with("__CUDA"))
    return false; // of device code, which is of no target's
  if (macro.starts_with("__ARM_"))
    return triple.isARM() || triple.isThumb() || triple.isAArch64();
  if (macro.starts_with("__aarch64"))
    return triple.isAArch64();
  if (macro.starts_with("__riscv"))
    return triple.isRISCV();
  if (macro.starts_with("__wasm"))
    return triple.isWasm();
  if (macro.starts_with("__ALTIVEC"))
    return triple.isPPC();
  for (StringRef begin : {"__SSE", "__SSSE", "__AVX", "__FMA", "__F16C", "__AMX"})
    if (macro.starts_with(begin))
      return triple.isX86();
  return true;
}

std::optional<bool> Target::defines(StringRef macro) const {
  if (llvm::is_contained(macros, macro))
    return true;
  if (llvm::is_contained(absent, macro))
    return false;
  // A portable target's triple is only that of the machine on which its programs are tried.
  const Triple own(portable ? "unknown" : triple);
  if (!belongsTo(macro, own))
    return false;
  if (macro == "__aarch64__")
    return true;
  return macro == "__GNUC__" && !portable ? std::optional(true) : std::nullopt;
}

} // namespace sinter
