// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --specialize seq=1,128: besides the program for all sizes within the bounds one for each of these sizes, which a call
// of that size runs. A copy is the model compiled once more with that dim as a number. --specialize states: one that
// makes no outputs but states, for calls that ask for none. codegen/run/programs.h puts them into one source.
#pragma once

#include "driver/plan_model.h"

namespace sinter {

/// The sizes that each flag names, a copy for each combination, behind the one of states alone; what is wrong, or
/// nothing. `dims`: those of --dim.
std::optional<std::string> parseExactCopies(llvm::ArrayRef<std::string> flags, const llvm::StringMap<DimValue> &dims,
                                            std::vector<ExactCopy> &copies);

/// Plans all programs of a model: for each CPU that for all sizes, and its exact copies. The first is there also where
/// it is not planned to the end.
ExitStatus planPrograms(const CompileJob &job, mlir::MLIRContext &context, Diagnostics &diagnostics,
                        std::vector<PlannedModel> &programs);

} // namespace sinter
