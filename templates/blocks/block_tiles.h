// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// blockGemm of block_gemm.h for many rows of bytes in tile registers (AMX of x86; templates/dot4/tile_registers.h). A
// block's sums of 16 rows by 16 columns are products of one tile or a few; they are stored to L1, whence vectors read
// them, scale them and add them to floats that stay in registers:
//   tmm0, tmm1  sums of blocks, by turns, so that a block is multiplied while the one before it is scaled
//   tmm2, tmm3  rows of A         tmm4, tmm5  columns of B, one tile's of each block
// Numbers are unpacked once for all rows, a range of k at a time. Sums are those of block_dots.h to the bit: which rows
// are multiplied here may depend on how many there are.
#pragma once

#include "templates/blocks/block_gemm.h"
#include "templates/dot4/amx_tiles.h"
#include "templates/dot4/tile_steps.h"

namespace sinter {
namespace {

/// Rows that are taken at a time; of a rest so many or fewer are left to dot products.
constexpr int64_t kTiledBlockRows = 128, kLeftToDots = 4;
/// Columns of tiles that share rows of A in L1, and bytes of numbers that are unpacked at a time for each.
constexpr int kColumnsTogether = 4;
constexpr int64_t kTiledBytes = 4096;

/// Bytes that scratch has besides, so that rows begin where cache lines do.
constexpr int64_t kTiledAlignment = 64;

/// What a block of a row is scaled by, and the sum of its bytes.
struct TiledRow {
  float scale;
  int32_t sum;
};
/// Rows of A as bytes, as tiles read them: bytes [block][row][kBlock] and scales [block][row].
template <int kBlock>
class TiledRows {
public:
  TiledRows(uint8_t *scratch, int64_t count, int64_t blocks)
      : bytes(reinterpret_cast<int8_t *>(scratch + (-reinterpret_cast<uintptr_t>(scratch) & (kTiledAlignment - 1)))),
        scales(reinterpret_cast<TiledRow *>(bytes + count * blocks * kBlock)), count(count) {}

  template <class TA>
  void take(const TA *a, int64_t lda, int64_t k) {
    int8_t *to = bytes;
    TiledRow *scale = scales;
    for (int64_t p = 0; p < k; p += kBlock)
      for (int64_t i = 0; i < count; ++i, to += kBlock, ++scale) {
        ByteBlock<kBlock> block;
        takeBlock(a + i * lda + p, k - p < kBlock ? k - p : int64_t(kBlock), block);
        memcpy(to, &block.bytes, sizeof(block.bytes));
        *scale = {block.scale, block.sum};
      }
  }

  int8_t *const bytes;
  TiledRow *const scales;
  const int64_t count;
};
/// Bytes of scratch for at most m rows; blockGemm of a rest has enough of them, too.
template <int kBlock>
SINTER_HOST_DEVICE constexpr int64_t tiledBlockScratch(int64_t m, int64_t k) {
  return (m < kTiledBlockRows ? m : kTiledBlockRows) * ((k + kBlock - 1) / kBlock) *
             int64_t(sizeof(ByteBlock<kBlock>)) +
         kTiledAlignment;
}

/// Weights in blocks as tiles read them. Numbers are signed bytes, less half of the range where columns have no zero
/// points; with such, eight bits stay unsigned.
template <class W, int NR>
struct BlockTiles {
  static constexpr bool isSigned = !(W::hasZeros && W::kBits == 8);
  static constexpr int64_t kStep = bytesOfTileStep(W::kBlock), kSteps = W::kBlock / kStep;
  static constexpr int64_t kBytes = W::kBlock * kTileColumns; ///< of a block's numbers for 16 columns
  static constexpr int64_t kTogether = kTiledBytes < kBytes ? 1 : kTiledBytes / kBytes;

  /// to[kBlock / 4][16 columns][4] = a block's numbers of the panel's columns from `column` on.
  SINTER_INLINE_MEMBER static void unpack(const uint8_t *block, int column, int8_t *to) {
    constexpr int lanes = kLanes<float> < 16 ? kLanes<float> : 16;
    using I = Vec<int32_t, lanes>;
    for (int g = 0; g < W::kBlock / W::kGroup; ++g)
      for (int64_t j = 0; j < kTileColumns; j += lanes) {
        I packed;
        memcpy(&packed, block + (g * NR + column + j) * 4, sizeof(packed));
        SINTER_UNROLL
        for (int part = 0; part < W::kParts; ++part) {
          const I numbers = tileFactors(packed, part);
          memcpy(to + ((g * W::kParts + part) * kTileColumns + j) * 4, &numbers, sizeof(numbers));
        }
      }
  }

private:
  template <class I>
  SINTER_INLINE_MEMBER static I tileFactors(I packed, int part) {
    using B = Vec<uint8_t, int(sizeof(I))>;
    const I numbers = bytesOf<W>(packed, part);
    if constexpr (W::hasZeros)
      return numbers;
    else
      return (I)((B)numbers - splat<B>(uint8_t(W::kHalfRange)));
  }
};

/// What sums of a block begin with: as the bits of a float they are then 1.5 * 2^23 and the sum, and taking that off
/// makes them floats. Of the two ports that have arithmetic on floats only one converts and multiplies while tiles are
/// in use; the other one adds and subtracts.
constexpr int32_t kFloatOfSums = 0x4b400000;
/// Whether sums of a block are exact like that.
template <class W>
constexpr bool kBeginsAsFloat =
    int64_t(W::kBlock) * 127 * (W::hasZeros ? (1 << W::kBits) - 1 : W::kHalfRange) < (1 << 22);

/// Packed weights of the next range, of which memory is asked for a few lines at a time while this one is multiplied.
struct RangeToCome {
  const uint8_t *starts[kColumnsTogether];
  int64_t panels = 0, bytes = 0; ///< of each panel

  SINTER_INLINE_MEMBER void ask(int64_t lines) {
    for (; lines > 0 && panels > 0; --lines) {
      SINTER_PREFETCH(starts[panels - 1] + asked);
      asked += 64;
      if (asked >= bytes) {
        asked = 0;
        --panels;
      }
    }
  }

private:
  int64_t asked = 0;
};

/// A range of blocks of all rows and up to kColumnsTogether times 16 columns.
template <class W, int NR, class Tiles, class V>
class TiledRange {
  using T = BlockTiles<W, NR>;
  static constexpr int lanes = kLanesOf<V>, vectors = int(kTileColumns) / lanes;

public:
  static constexpr int kSumsOfRow = kColumnsTogether * vectors;

  const TiledRows<W::kBlock> &rows;
  int64_t block, blocks, columns;           ///< columns of tiles
  const uint8_t *weights[kColumnsTogether]; ///< the range's first block in the panel, for each of them
  int inPanel[kColumnsTogether];
  alignas(64) int8_t numbers[kColumnsTogether][T::kTogether * T::kBytes];

  /// Rows of a tile begin here: the last ones' may have been in the one before.
  SINTER_INLINE_MEMBER int64_t rowOf(int64_t tile) const {
    return tile * kTileRows < rows.count - kTileRows ? tile * kTileRows : rows.count - kTileRows;
  }
  SINTER_INLINE_MEMBER void unpack() {
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < blocks; ++i)
        T::unpack(weights[j] + i * W::kBytes, inPanel[j], &numbers[j][i * T::kBytes]);
  }
  /// sums[16 * tiles][kSumsOfRow] += the range's products. A block of a tile is multiplied while the sums of the one
  /// before it are stored, and those of the one before that are scaled.
  void addTo(V *sums, RangeToCome next) {
    alignas(64) int32_t dots[2][kTileRows * kTileColumns];
    const int64_t tiles = (rows.count + kTileRows - 1) / kTileRows;
    left = tiles * columns * blocks;
    const int64_t lines = next.panels * next.bytes / 64 / left + 1;
    tile = column = at = 0;
    multiply();
    keep(&dots[0][0]);
    multiply();
    int now = 0;
    for (int64_t i = 0; i < tiles; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        V *to = sums + i * kTileRows * kSumsOfRow + j * vectors;
        V floats[kTileRows][vectors];
        SINTER_UNROLL
        for (int r = 0; r < kTileRows; ++r) {
          SINTER_UNROLL
          for (int v = 0; v < vectors; ++v)
            floats[r][v] = block > 0 ? to[r * kSumsOfRow + v] : V{};
        }
        const uint8_t *b = weights[j];
        const TiledRow *row = rows.scales + block * rows.count + rowOf(i);
        for (int64_t p = 0; p < blocks; ++p, now ^= 1, b += W::kBytes, row += rows.count) {
          keep(&dots[now ^ 1][0]);
          multiply();
          next.ask(lines);
          SINTER_UNROLL
          for (int v = 0; v < vectors; ++v) {
            const int in = inPanel[j] / lanes + v;
            const V scales = scaleAt<W, NR / lanes, V>(b, in);
            SINTER_UNROLL
            for (int r = 0; r < kTileRows; ++r)
              floats[r][v] = addScaled<W, NR / lanes>(floats[r][v], asFloats(&dots[now][r * kTileColumns + v * lanes]),
                                                      row[r], scales, b, in);
          }
        }
        SINTER_UNROLL
        for (int r = 0; r < kTileRows; ++r) {
          SINTER_UNROLL
          for (int v = 0; v < vectors; ++v)
            to[r * kSumsOfRow + v] = floats[r][v];
        }
      }
  }

private:
  int64_t left, tile, column, at; ///< what is multiplied next

  SINTER_INLINE_MEMBER void multiply() {
    if (left == 0)
      return;
    --left;
    const int8_t *a = rows.bytes + ((block + at) * rows.count + rowOf(tile)) * W::kBlock;
    const int8_t *b = &numbers[column][at * T::kBytes];
    if constexpr (kBeginsAsFloat<W>) {
      alignas(64) static constexpr int32_t begin[] = {kFloatOfSums, kFloatOfSums, kFloatOfSums, kFloatOfSums,
                                                      kFloatOfSums, kFloatOfSums, kFloatOfSums, kFloatOfSums,
                                                      kFloatOfSums, kFloatOfSums, kFloatOfSums, kFloatOfSums,
                                                      kFloatOfSums, kFloatOfSums, kFloatOfSums, kFloatOfSums};
      Tiles::template load<0>(&begin, 0);
    } else {
      Tiles::template zero<0>();
    }
    for (int64_t step = 0; step < T::kSteps; ++step) {
      Tiles::template load<2>(b + step * T::kStep * kTileColumns, kTileColumns * 4);
      Tiles::template load<1>(a + step * T::kStep, W::kBlock);
      Tiles::template multiply<true, 0, 1, 2, T::isSigned>();
    }
    if (++at == blocks) {
      at = 0;
      if (++column == columns) {
        column = 0;
        ++tile;
      }
    }
  }
  SINTER_INLINE_MEMBER static void keep(int32_t *to) { Tiles::template store<0>(to, kTileColumns * 4); }
  SINTER_INLINE_MEMBER static V asFloats(const int32_t *sums) {
    using I = Like<V, int32_t>;
    if constexpr (kBeginsAsFloat<W>)
      return (V)load<I>(sums) - (V)splat<I>(kFloatOfSums);
    else
      return convert<V>(load<I>(sums));
  }

public:
  SINTER_INLINE_MEMBER explicit TiledRange(const TiledRows<W::kBlock> &rows) : rows(rows) {}
};

/// Registers for 16 rows by 16 columns and steps of so many bytes.
template <class Tiles>
SINTER_INLINE void configureBlockTiles(int64_t step) {
  TileConfig config = {};
  config.palette = 1;
  config.set(0, kTileRows, kTileColumns * 4);
  config.set(1, kTileRows, step);
  config.set(2, step / 4, kTileColumns * 4);
  Tiles::configure(config);
}

/// As blockGemm, with rows as bytes and tiledBlockScratch bytes of scratch; NR is whole tiles. `Tiles`: the
/// instructions.
template <int R, int NR, int kBits, int kBlock, class Scale, bool kHasZeros, class Tiles = AmxTiles, class TA, class TC,
          class LdA, class LdC, class M, class N, class K, class Epilogue>
void tiledBlockGemm(const TA *a, LdA lda, const uint8_t *b, TC *c, LdC ldc, M m, N n, K k, uint8_t *scratch,
                    Epilogue epilogue) {
  using V = BlockVector<(NR < 16 ? NR : 16)>;
  using W = BlockWeights<kBits, kBlock, NR, Scale, kHasZeros>;
  using T = BlockTiles<W, NR>;
  static_assert(NR % kTileColumns == 0, "whole tiles");
  constexpr int64_t wide = kColumnsTogether * kTileColumns;
  const int64_t blocks = (k + W::kBlock - 1) / W::kBlock, panel = blocks * W::kBytes, rest = m % kTileRows;
  const int64_t byDots = m < kTileRows || rest <= kLeftToDots ? rest : 0, tiled = m - byDots;
  if (tiled > 0)
    configureBlockTiles<Tiles>(T::kStep);
  for (int64_t first = 0; first < tiled;) {
    // A rest is multiplied with rows before it, which are then left out, so groups have a tile at least.
    const int64_t left = tiled - first, count = left < kTiledBlockRows + kTileRows && left > kTiledBlockRows
                                                    ? kTiledBlockRows / 2
                                                : left < kTiledBlockRows ? left
                                                                         : kTiledBlockRows;
    TiledRows<W::kBlock> rows(scratch, count, blocks);
    rows.take(a + first * lda, lda, k);
    TiledRange<W, NR, Tiles, V> range(rows);
    for (int64_t column = 0; column < n; column += wide) {
      alignas(64) V sums[kTiledBlockRows * range.kSumsOfRow];
      range.columns = n - column < wide ? (n - column + kTileColumns - 1) / kTileColumns : kColumnsTogether;
      for (range.block = 0; range.block < blocks; range.block += T::kTogether) {
        range.blocks = blocks - range.block < T::kTogether ? blocks - range.block : T::kTogether;
        for (int64_t j = 0; j < range.columns; ++j) {
          range.weights[j] = b + (column + j * kTileColumns) / NR * panel + range.block * W::kBytes;
          range.inPanel[j] = int((column + j * kTileColumns) % NR);
        }
        range.unpack();
        const bool isLast = range.block + range.blocks == blocks;
        RangeToCome next;
        next.bytes =
            (isLast || blocks - range.block - range.blocks > T::kTogether ? T::kTogether
                                                                          : blocks - range.block - range.blocks) *
            W::kBytes;
        for (int64_t j = isLast ? column + wide : column; j < n && next.panels * NR < wide; j += NR)
          next.starts[next.panels++] = b + j / NR * panel + (isLast ? 0 : (range.block + range.blocks) * W::kBytes);
        range.addTo(&sums[0], next);
      }
      for (int64_t row = 0; row < count; row += kTileRows) {
        const int64_t skipped = row - range.rowOf(row / kTileRows);
        storeTile<kRestOf<V, N>>(&sums[(row + skipped) * range.kSumsOfRow], kTileRows - skipped, range.kSumsOfRow, c,
                                 ldc, first + row, column, n, epilogue);
      }
    }
    first += count;
  }
  if (tiled > 0)
    Tiles::release();
  if (byDots > 0)
    blockGemm<R, NR, kBits, kBlock, Scale, kHasZeros, ByteBlock>(
        a + tiled * lda, lda, b, c + tiled * ldc, ldc, byDots, n, k, scratch,
        [&](auto v, int64_t i, int64_t j) { return epilogue(v, tiled + i, j); });
}

} // namespace
} // namespace sinter
