// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "space.h"

using namespace mlir;

namespace sinter {

SpaceAttr spaceOf(Type memref) {
  Attribute stated = cast<BaseMemRefType>(memref).getMemorySpace();
  return stated ? cast<SpaceAttr>(stated) : SpaceAttr::get(memref.getContext(), MemoryKind::Host, StringAttr());
}

MemRefType inSpace(MemRefType type, SpaceAttr space) {
  bool isPlain = space.getKind() == MemoryKind::Host && !space.getRegion();
  return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(), isPlain ? Attribute() : space);
}

} // namespace sinter
