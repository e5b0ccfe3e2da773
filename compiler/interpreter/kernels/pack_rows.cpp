// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers [rows, columns] of 2 or 4 bits, counted from `low` on, as rows of bytes: low bits first.
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_pack_rows(KernelCall &call) {
  int64_t bits = call.integer("bits"), low = call.integer("low");
  ArrayRef<int64_t> from = call.inputs[0].shape(), to = call.outputs[0].shape();
  if ((bits != 2 && bits != 4) || from.size() != 2 || to.size() != 2 || from[0] != to[0] ||
      to[1] != (from[1] * bits + 7) / 8 || call.inputs[0].kind() != ElementKind::I8)
    return false;
  return withByte(call.inputs[0], call.isUnsigned(0), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *numbers = call.in<T, 2>(0).data;
    auto *bytes = reinterpret_cast<uint8_t *>(call.outputs[0].mutableBytes());
    memset(bytes, 0, static_cast<size_t>(to[0] * to[1]));
    for (int64_t row = 0; row < from[0]; ++row, bytes += to[1])
      for (int64_t column = 0; column < from[1]; ++column) {
        auto number = static_cast<uint32_t>(static_cast<int64_t>(*numbers++) - low) & ((1u << bits) - 1);
        uint8_t &byte = bytes[column * bits / 8];
        byte = static_cast<uint8_t>(byte | number << column * bits % 8);
      }
    return true;
  });
}
} // namespace sinter
