// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights in blocks -> the order of templates/blocks/block_weights.h: bytes [panels, blocks, bytes of a block], rows of
// the operands the columns of a panel. A block is stored in pieces of `stored` numbers, each with its scale. Behind the
// last column scales are zero. Scales and zero points get the type of the given scales, or f16 where `halves` says that
// it holds all of them.
#include "interpreter/block_numbers.h"

namespace sinter {
namespace {

template <class Scale>
void packPanel(const BlockNumbers &weights, int64_t first, int64_t columns, int64_t depth, int64_t stored, char *to) {
  int64_t parts = 8 / weights.bits, group = 4 * parts;
  auto put = [&](float x) {
    Scale value = convert<Scale>(x);
    memcpy(to, &value, sizeof(value));
    to += sizeof(value);
  };
  for (int64_t start = 0; start < depth; start += stored) {
    int64_t which = start / weights.block;
    for (int64_t g = start; g < start + stored; g += group)
      for (int64_t row = first; row < first + columns; ++row)
        for (int64_t i = 0; i < 4; ++i) {
          uint32_t byte = 0;
          for (int64_t part = 0; part < parts; ++part)
            if (int64_t at = g + part * 4 + i; row < weights.rows() && at < depth)
              byte |= static_cast<uint32_t>(weights.number(row, at)) << part * weights.bits;
          *to++ = static_cast<char>(byte);
        }
    for (int64_t row = first; row < first + columns; ++row)
      put(row < weights.rows() ? weights.scale(row, which) : 0);
    for (int64_t row = first; weights.hasZeros() && row < first + columns; ++row)
      put(row < weights.rows() ? weights.zero(row, which) : 0);
  }
}

} // namespace

bool interpret_pack_blocks(KernelCall &call) {
  const BlockNumbers weights(call);
  int64_t depth = call.integer("depth"), columns = call.integer("columns"), stored = call.integer("stored");
  HostTensor &out = call.outputs[0];
  if (columns < 1 || !weights.fit(depth) || stored < 1 || weights.block % stored || stored * weights.bits % 32 ||
      out.rank() != 3)
    return false;
  auto pack = [&](auto tag) {
    using Scale = typename decltype(tag)::Type;
    int64_t panel = out.shape()[1] * out.shape()[2];
    int64_t bytes = columns * (stored * weights.bits / 8 + (weights.hasZeros() ? 2 : 1) * int64_t(sizeof(Scale)));
    if (out.shape()[2] != bytes || out.shape()[1] != (depth + stored - 1) / stored ||
        out.shape()[0] != (weights.rows() + columns - 1) / columns)
      return false;
    for (int64_t p = 0; p < out.shape()[0]; ++p)
      packPanel<Scale>(weights, p * columns, columns, depth, stored, out.mutableBytes() + p * panel);
    return true;
  };
  return call.flag("halves") ? pack(TypeTag<f16>()) : withFloat(call.inputs[1], pack);
}
} // namespace sinter
