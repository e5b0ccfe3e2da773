// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values symbolic dims have in inputs that nobody gave: by --size, by what their names say ("past + now" is the
// sum of two others), and, where states grow from call to call, by what the call before left.
#pragma once

#include "driver/model_program.h"

#include <map>

namespace sinter {

using InputSizes = std::map<std::string, int64_t>; ///< by the dim's name

/// Of the first call. `given`: NAME=N or NAME=A+B, as --size has them. What is not given has its upper bound; what
/// grows from call to call starts at its lower one, and so leaves room.
llvm::Expected<InputSizes> firstSizes(const ModelInfo &model, llvm::ArrayRef<std::string> given);

/// Of the call behind one that has left `outputs`: growing states go on from them; a dim that is as large as what they
/// grew by has its lower bound, one token more; others stay.
llvm::Expected<InputSizes> nextSizes(const ModelInfo &model, llvm::ArrayRef<std::string> given,
                                     const InputSizes &before, llvm::ArrayRef<HostArray> outputs);

bool hasGrowingStates(const ModelInfo &model);

} // namespace sinter
