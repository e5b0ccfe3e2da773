// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attention_heads (templates/attention) by flash_attention.h: the same operands, a block for each tile of queries of
// each head. Grid: along x, tiles innermost, then heads, then batches.
#pragma once

#include "templates/cuda/attention_rows.h"
#include "templates/cuda/flash_attention.h"

namespace sinter::cuda {
namespace {

/// The head that a block works at, and the first of its queries.
struct BlockOfHead {
  int64_t batch, head;
  int firstQuery;
};
template <class Tile, class T>
SINTER_DEVICE BlockOfHead blockOfHead(const View<T, 4> &q) {
  const int tiles = ceilDiv(int(q.sizes[2]), Tile::kQueries), heads = int(q.sizes[1]), head = blockX() / tiles;
  return {head / heads, head % heads, blockX() % tiles * Tile::kQueries};
}
template <class T>
SINTER_DEVICE HeadRows<T> rowsOfHead(const View<const T, 4> &x, const BlockOfHead &at) {
  return {x.data + at.batch * x.strides[0] + at.head * x.strides[1], int(x.strides[2]), int(x.sizes[2]),
          int(x.sizes[3])};
}
/// `added`: the mask as attention_rows.h takes it.
template <class Tile, bool kAligned, class T, class Mask, class Added>
SINTER_DEVICE void attentionOfBlock(const AttentionHeadsParams &p, const View<const T, 4> &q, const View<const T, 4> &k,
                                    const View<const T, 4> &v, const View<T, 4> &out, const BlockOfHead &at,
                                    const Mask &mask, const Added &added) {
  const HeadResults<T> results{out.data + at.batch * out.strides[0] + at.head * out.strides[1], int(out.strides[2]),
                               int(out.sizes[2]), int(out.sizes[3]), p.zero_masked_rows};
  attention<Tile, kAligned>(rowsOfHead(q, at), rowsOfHead(k, at), rowsOfHead(v, at), results, at.firstQuery,
                            float(p.scale), mask, [&](int query) {
                              const int64_t head = at.batch * q.sizes[1] + at.head;
                              attentionQuery<1>(head * q.sizes[2] + query, p, q, k, v, out, added);
                            });
}

template <class Tile, bool kAligned, class T>
SINTER_DEVICE void attentionTiles(const AttentionHeadsParams &p, const View<const T, 4> &q, const View<const T, 4> &k,
                                  const View<const T, 4> &v, const View<T, 4> &out, const View<float, 1> &) {
  attentionOfBlock<Tile, kAligned>(p, q, k, v, out, blockOfHead<Tile>(q), NoMask{}, NothingAdded{});
}
/// Dims of the mask that are 1 are everyone's.
template <class Tile, bool kAligned, class T, class M>
SINTER_DEVICE void attentionTiles(const AttentionHeadsParams &p, const View<const T, 4> &q, const View<const T, 4> &k,
                                  const View<const T, 4> &v, const View<const M, 4> &mask, const View<T, 4> &out,
                                  const View<float, 1> &) {
  const BlockOfHead at = blockOfHead<Tile>(q);
  const auto step = [&](int d) { return mask.sizes[d] == 1 ? int64_t(0) : mask.strides[d]; };
  attentionOfBlock<Tile, kAligned>(p, q, k, v, out, at,
                                   AddedMask<M>{mask.data + at.batch * step(0) + at.head * step(1), step(2)},
                                   MaskAdded<const M>(mask));
}

} // namespace
} // namespace sinter::cuda
