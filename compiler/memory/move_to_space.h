// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer changes its memory space, and with it all views of it.
#pragma once

#include "ir/space.h"

namespace sinter {

/// Sets the space in the types of `buffer` and of its views. Where a loop or a choice hands the buffer on, whose types
/// stand for other buffers too, it is cast back (memref.memory_space_cast) to what it was.
void moveToSpace(mlir::Value buffer, SpaceAttr space);

} // namespace sinter
