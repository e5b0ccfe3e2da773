// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a memref lies, by its type. A type without a memory space means the host; a sinter.arena of such a type lies in
// the first arena of the host, which is the only one unless --ram says more. Likewise `#sinter.space<device>` names no
// region: what lies there is in the device's first arena. Who reads or writes a memref's space does it by these two.
#pragma once

#include "dialect.h"

namespace sinter {

/// Never null, and equal for `#sinter.space<host>` and for none. Precondition: no other dialect's memory space.
SpaceAttr spaceOf(mlir::Type memref);

/// The type in another space: shape, element and layout stay.
mlir::MemRefType inSpace(mlir::MemRefType type, SpaceAttr space);

} // namespace sinter
