// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of the ops that read weights in blocks when weights are written ("dequantize_blocks", "pack_blocks"):
//   packed  ui8 [rows, bytes]: numbers of `bits` bits along a row, low bits first
//   scales  [rows, blocks], one for `block` numbers
//   zeros   none: half of the range; ui8 [rows, bytes], packed as the numbers; or floats [rows, blocks]
#pragma once

#include "interpreter/kernel_call.h"

namespace sinter {

class BlockNumbers {
public:
  explicit BlockNumbers(const KernelCall &call)
      : bits(call.integer("bits")), block(call.integer("block")), packed(call.inputs[0]), scales(call.inputs[1]),
        zeros(call.inputs.size() > 2 ? &call.inputs[2] : nullptr) {}

  /// Whether the operands are what the formulas above say, for numbers up to `columns` of a row.
  bool fit(int64_t columns) const {
    bool isWhole = (bits == 2 || bits == 4 || bits == 8) && block > 0 && block * bits % 8 == 0;
    if (!isWhole || packed.rank() != 2 || scales.rank() != 2 || !isFloatKind(scales.kind()))
      return false;
    int64_t blocks = (columns + block - 1) / block;
    bool hasZeros = !zeros || (zeros->rank() == 2 && zeros->shape()[0] == rows() &&
                               zeros->shape()[1] * (isPacked(*zeros) ? 8 / bits : 1) >= blocks);
    return packed.kind() == ElementKind::I8 && packed.shape()[1] * 8 >= columns * bits && scales.shape()[0] == rows() &&
           scales.shape()[1] == blocks && hasZeros;
  }
  int64_t rows() const { return packed.shape()[0]; }
  uint8_t number(int64_t row, int64_t column) const { return unpacked(packed, row, column); }
  float scale(int64_t row, int64_t which) const { return real(scales, row, which); }
  float zero(int64_t row, int64_t which) const {
    if (!zeros)
      return static_cast<float>(1 << (bits - 1));
    return isPacked(*zeros) ? unpacked(*zeros, row, which) : real(*zeros, row, which);
  }

  const int64_t bits, block;

private:
  static bool isPacked(const HostTensor &tensor) { return tensor.kind() == ElementKind::I8; }
  uint8_t unpacked(const HostTensor &tensor, int64_t row, int64_t place) const {
    const auto *bytes = reinterpret_cast<const uint8_t *>(tensor.bytes()) + row * tensor.shape()[1];
    return static_cast<uint8_t>(bytes[place * bits / 8] >> place * bits % 8 & ((1 << bits) - 1));
  }
  static float real(const HostTensor &tensor, int64_t row, int64_t column) {
    return static_cast<float>(tensor.numberAt(row * tensor.shape()[1] + column));
  }

  const HostTensor &packed, &scales;
  const HostTensor *zeros;
};

} // namespace sinter
