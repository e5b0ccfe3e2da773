// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --target x86-64-v2,x86-64-v3: one library for several CPUs, of which a call takes the best that the machine is
// (codegen/run/cpus.h).
#pragma once

#include "target/target.h"

namespace sinter {

/// The target, the first where there are several; `others`: those behind it, of which each has more than the one
/// before. Nothing, with a message, where there is no such target, or where they do not go together.
std::optional<Target> findTargets(llvm::StringRef spec, std::vector<Target> &others, std::string &problem);

} // namespace sinter
