// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of the ops that read weights in blocks when weights are written ("dequantize_blocks", "pack_blocks"):
//   numbers  ui8 [rows, bytes]: numbers of `bits` bits along a row, low bits first; or, if not `packed`, integers
//            [rows, columns], counted from `low` on
//   scales   [rows, blocks], one for `block` numbers
//   zeros    if there are `zeros`, [rows, blocks] or its bytes, as the numbers, or floats; else half of the range
//   order    if they are `ordered`, [columns]: which of a row's numbers stands at each place; of these come the blocks
#pragma once

#include "interpreter/kernel_call.h"

namespace sinter {

class BlockNumbers {
public:
  explicit BlockNumbers(const KernelCall &call)
      : bits(call.integer("bits")), block(call.integer("block")), low(call.integer("low")),
        isPacked(call.flag("packed")), isSigned(!call.isUnsigned(0)), numbers(call.inputs[0]), scales(call.inputs[1]),
        zeros(call.flag("zeros") ? &call.inputs[2] : nullptr),
        order(call.flag("ordered") ? &call.inputs.back() : nullptr) {}

  /// Whether the operands are what the formulas above say, for numbers up to `columns` of a row.
  bool fit(int64_t columns) const {
    bool isWhole = (bits == 2 || bits == 4 || bits == 8) && block > 0 && block * bits % 8 == 0;
    int64_t blocks = isWhole ? (columns + block - 1) / block : 0;
    return isWhole && areIntegers(numbers) && holds(numbers, columns) && isFloatKind(scales.kind()) &&
           scales.rank() == 2 && scales.shape()[0] == rows() && scales.shape()[1] == blocks &&
           (!zeros || holds(*zeros, blocks)) && (!order || isOrder(columns));
  }
  bool hasZeros() const { return zeros; }
  int64_t rows() const { return numbers.shape()[0]; }
  uint8_t number(int64_t row, int64_t column) const {
    return integer(numbers, row, order ? order->integerAt(column) : column);
  }
  float scale(int64_t row, int64_t which) const { return real(scales, row, which); }
  float zero(int64_t row, int64_t which) const {
    if (!zeros)
      return static_cast<float>(1 << (bits - 1));
    return areIntegers(*zeros) ? integer(*zeros, row, which) : real(*zeros, row, which) - static_cast<float>(low);
  }

  const int64_t bits, block;

private:
  bool isOrder(int64_t columns) const {
    if (order->rank() != 1 || order->size() != columns)
      return false;
    for (int64_t i = 0; i < columns; ++i)
      if (order->integerAt(i) < 0 || order->integerAt(i) >= columns)
        return false;
    return true;
  }
  static bool areIntegers(const HostTensor &tensor) { return tensor.kind() == ElementKind::I8; }
  bool holds(const HostTensor &tensor, int64_t columns) const {
    int64_t perElement = areIntegers(tensor) && isPacked ? 8 / bits : 1;
    return tensor.rank() == 2 && tensor.shape()[0] == rows() && tensor.shape()[1] * perElement >= columns;
  }
  /// From 0 up.
  uint8_t integer(const HostTensor &tensor, int64_t row, int64_t place) const {
    const auto *bytes = reinterpret_cast<const uint8_t *>(tensor.bytes()) + row * tensor.shape()[1];
    unsigned mask = (1u << bits) - 1;
    if (isPacked)
      return static_cast<uint8_t>(bytes[place * bits / 8] >> place * bits % 8 & mask);
    int64_t number = isSigned ? static_cast<int8_t>(bytes[place]) : int64_t(bytes[place]);
    return static_cast<uint8_t>(static_cast<uint64_t>(number - low) & mask);
  }
  static float real(const HostTensor &tensor, int64_t row, int64_t column) {
    return static_cast<float>(tensor.numberAt(row * tensor.shape()[1] + column));
  }

  const int64_t low;
  const bool isPacked, isSigned;
  const HostTensor &numbers, &scales;
  const HostTensor *zeros, *order;
};

} // namespace sinter
