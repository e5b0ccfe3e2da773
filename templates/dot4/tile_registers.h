// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products of bytes in tile registers (AMX of x86): A [16 rows][64 bytes] by B [16 fours][16 columns][4] are
// added to C [16][16] int32 by one instruction. Under tile_gemm.h and tile_conv.h; weights lie as int_tile.h reads
// them.
//
//   up to 32 rows:  tmm0 = A0 B0  tmm1 = A0 B1        up to 16:  tmm0 = A0 B0  tmm1 = A0 B1
//                   tmm2 = A1 B0  tmm3 = A1 B1
//
// Sums stay in registers over all of k: A0 and A1 are tmm4 and 5, columns of B tmm6 and 7. Four sums hide that a
// product takes 52 cycles until the next one may be added to it, and the next can start after 16. Of up to 16 rows four
// sums would take two panels at once, and two streams of B take longer than the wait that they hide
// (docs/benchmarks.md). Fewer rows are a configuration with fewer rows, fewer bytes one with narrower rows of A
// (tile_steps.h). Blocks of 2 x 2 are those of oneDNN, MLAS and ggml.
#pragma once

#include "templates/dot4/amx_tiles.h"
#include "templates/dot4/int_tile.h"
#include "templates/dot4/tile_steps.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// The registers for as long as a kernel runs. By the ABI they are the caller's to save.
template <class Tiles>
class TileRegisters {
public:
  TileRegisters() = default;
  TileRegisters(const TileRegisters &) = delete;
  TileRegisters &operator=(const TileRegisters &) = delete;
  ~TileRegisters() {
    if (rowsNow > 0)
      Tiles::release();
  }
  /// For blocks of so many rows, and steps of so many bytes.
  void configure(int64_t rows, int64_t step) {
    if (rows == rowsNow)
      return;
    TileConfig config = {};
    config.palette = 1;
    const int64_t upper = rows < kTileRows ? rows : kTileRows, lower = rows > kTileRows ? rows - kTileRows : upper;
    for (int tile = 0; tile < 4; ++tile)
      config.set(tile, tile < 2 ? upper : lower, kTileColumns * 4);
    config.set(4, upper, step);
    config.set(5, lower, step);
    config.set(6, step / 4, kTileColumns * 4);
    config.set(7, step / 4, kTileColumns * 4);
    Tiles::configure(config);
    rowsNow = rows;
  }

private:
  int64_t rowsNow = 0;
};

/// Sums of R tiles of rows by C tiles of columns, all of a panel of kPanel.
template <int R, int C, int kPanel, class X, class Tiles>
struct TileBlock {
  static_assert(R <= 2 && C <= kPanel && kPanel <= 2 && !X::isFlipped,
                "four registers of sums; each kind of bytes has its instruction");
  static constexpr int64_t four = kPanel * kTileColumns * 4; ///< bytes from a four of a panel to the next

  /// to[up to 16 R][16 C].
  template <class Stride, class Runs>
  SINTER_INLINE_MEMBER static void compute(const uint8_t *a, Stride stride, const Runs &runs, int64_t step,
                                           const int8_t *b, int32_t *to) {
    columns([](auto j) SINTER_INLINE_LAMBDA {
      Tiles::template zero<kSum<decltype(j)>>();
      if constexpr (R == 2)
        Tiles::template zero<kSum<decltype(j)> + 2>();
    });
    for (int64_t h = 0; h < runs.countH; ++h)
      for (int64_t w = 0; w < runs.countW; ++w) {
        const uint8_t *at = a + h * runs.stepH + w * runs.stepW;
        for (const uint8_t *const end = at + runs.length; at != end; at += step, b += step / 4 * four)
          add(at, stride, b);
      }
    constexpr int64_t rowBytes = C * kTileColumns * 4;
    columns([&](auto j) SINTER_INLINE_LAMBDA {
      Tiles::template store<kSum<decltype(j)>>(to + j * kTileColumns, rowBytes);
      if constexpr (R == 2)
        Tiles::template store<kSum<decltype(j)> + 2>(to + (kTileRows * C + j) * kTileColumns, rowBytes);
    });
  }

private:
  /// The upper rows' sums of a column of tiles; the lower ones' are two on.
  template <class J>
  static constexpr int kSum = int(kFixed<J>);

  template <class Body>
  SINTER_INLINE_MEMBER static void columns(Body body) {
    body(Fixed<0>{});
    if constexpr (C > 1)
      body(Fixed<1>{});
  }
  SINTER_INLINE_MEMBER static void add(const uint8_t *a, int64_t stride, const int8_t *b) {
    columns([&](auto fixed) SINTER_INLINE_LAMBDA {
      constexpr int j = int(kFixed<decltype(fixed)>), weights = 6 + j;
      Tiles::template load<weights>(b + j * (kTileColumns * 4), four);
      if constexpr (j == 0)
        Tiles::template load<4>(a, stride);
      Tiles::template multiply<X::isSigned, j, 4, weights>();
      if constexpr (R == 2) {
        if constexpr (j == 0)
          Tiles::template load<5>(a + kTileRows * stride, stride);
        Tiles::template multiply<X::isSigned, j + 2, 5, weights>();
      }
    });
  }
};

/// Products of `groups` times `rows` rows of bytes with n columns, packed as panels of NR: from(group, row) is where a
/// row lies, those behind it in the group are `stride` bytes apart. Calls write(sums, pitch, count, group, row, panel)
/// for `count` rows' sums with a panel, `pitch` apart. Rows that fill no block are behind all others, so that registers
/// are configured twice at most.
template <int NR, class X, class Tiles, class M, class N, class Stride, class Runs, class From, class Write>
void tileProducts(TileRegisters<Tiles> &registers, int64_t groups, M rows, N n, Stride stride, const Runs &runs,
                  const int8_t *b, From from, Write write) {
  constexpr int kPanel = int(NR / kTileColumns);
  static_assert(NR % kTileColumns == 0 && kPanel <= 2, "whole tiles");
  constexpr int64_t known = kFixed<M>;
  constexpr bool hasTall = known < 0 || known > kTileRows;
  constexpr bool hasShort = known < 0 || (known % kRowsOfTiles > 0 && known % kRowsOfTiles <= kTileRows);
  const int64_t step = bytesOfTileStep(runs.length), pitch = panelBytes<X, NR>(runs.perColumn(4)), m = rows;
  alignas(64) int32_t sums[kRowsOfTiles * NR];
  for (int64_t first = 0; first < m;) {
    const int64_t height = m - first < kRowsOfTiles ? m - first : kRowsOfTiles;
    const int64_t end = first + (m - first) / height * height;
    registers.configure(height, step);
    for (int64_t panel = 0; panel * NR < n; ++panel) {
      const auto block = [&](auto tall, auto wide) {
        constexpr int R = int(kFixed<decltype(tall)>), C = int(kFixed<decltype(wide)>);
        for (int64_t group = 0; group < groups; ++group)
          for (int64_t row = first; row < end; row += height) {
            TileBlock<R, C, kPanel, X, Tiles>::compute(from(group, row), stride, runs, step, b + panel * pitch,
                                                       &sums[0]);
            write(&sums[0], C * kTileColumns, height, group, row, panel);
          }
      };
      const auto ofHeight = [&](auto tall) {
        if constexpr (kPanel == 2)
          if (n - panel * NR > kTileColumns) {
            block(tall, Fixed<2>{});
            return;
          }
        block(tall, Fixed<1>{});
      };
      if constexpr (hasTall)
        if (height > kTileRows) {
          ofHeight(Fixed<2>{});
          continue;
        }
      if constexpr (hasShort)
        ofHeight(Fixed<1>{});
    }
    first = end;
  }
}

} // namespace
} // namespace sinter
