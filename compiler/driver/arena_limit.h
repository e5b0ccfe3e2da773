// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --arena-limit and --ram: what is done where the arena is larger than it may be. First row tiles, the cheapest that
// make it fit; if none do, a diagnostic with what would help.
#pragma once

#include "driver/compile_model.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sinter {

/// The arena that a job needs; nothing if the model cannot be compiled so. Writes nothing.
using ArenaTrial = llvm::function_ref<std::optional<ArenaPeak>(const CompileJob &)>;

/// The job with a bound on the feature maps in row tiles (PipelineOptions::rowTilingBytes) under which the arena is
/// within its limits: the largest, so the cheapest. Nothing if no row tiles are small enough. Costs some compilations.
std::optional<CompileJob> withRowTilesThatFit(const CompileJob &job, ArenaTrial arenaOf);

/// What does not fit, where most is needed, and which flags would help: each is tried.
Problem describeExcess(const ArenaPeak &peak, const CompileJob &job, ArenaTrial arenaOf);

} // namespace sinter
