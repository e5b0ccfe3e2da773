// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile registers as Intel's manual defines them, for machines without: what would trap there, or be undefined, traps
// here. Stands for AmxTiles of templates/dot4/amx_tiles.h.
#pragma once

#include "runtime-lite/bits.h"
#include "templates/dot4/amx_tiles.h"

namespace sinter {
namespace {

struct EmulatedTiles {
  struct State {
    TileConfig config = {};
    uint8_t data[8][16][64] = {};
    int64_t configurations = 0, products = 0;
    bool isConfigured = false;
  };
  static State &state() {
    static thread_local State one;
    return one;
  }

  static void configure(const TileConfig &config) {
    static_assert(sizeof(TileConfig) == 64, "what the instruction reads");
    need(config.palette == 1 && config.startRow == 0);
    for (uint8_t byte : config.reserved)
      need(byte == 0);
    for (int t = 0; t < 16; ++t) {
      need(config.rows[t] <= (t < 8 ? 16 : 0) && config.rowBytes[t] <= (t < 8 ? 64 : 0));
      need((config.rows[t] == 0) == (config.rowBytes[t] == 0));
    }
    state().isConfigured = true;
    state().config = config;
    memset(&state().data, 0, sizeof(state().data));
    ++state().configurations;
  }
  static void release() {
    need(state().isConfigured);
    state().isConfigured = false;
  }
  template <int t>
  static void zero() {
    known(t);
    memset(&state().data[t], 0, sizeof(state().data[t]));
  }
  template <int t>
  static void load(const void *from, int64_t pitch) {
    zero<t>();
    for (int64_t row = 0; row < state().config.rows[t]; ++row)
      memcpy(&state().data[t][row], static_cast<const uint8_t *>(from) + row * pitch, state().config.rowBytes[t]);
  }
  template <int t>
  static void store(void *to, int64_t pitch) {
    known(t);
    for (int64_t row = 0; row < state().config.rows[t]; ++row)
      memcpy(static_cast<uint8_t *>(to) + row * pitch, &state().data[t][row], state().config.rowBytes[t]);
  }
  template <bool kSigned, int c, int a, int b, bool kSignedB = true>
  static void multiply() {
    addEach<uint32_t, c, a, b>([](uint32_t sum, const uint8_t *row, auto column) {
      for (int p = 0; p < state().config.rowBytes[a]; ++p) {
        const uint8_t x = row[p], y = column(p / 4)[p % 4];
        sum += uint32_t((kSigned ? int(int8_t(x)) : int(x)) * (kSignedB ? int(int8_t(y)) : int(y)));
      }
      return sum;
    });
  }

  /// As the instruction rounds: pairs are added up one after the other, odd ones apart, and their sum to c.
  template <int c, int a, int b>
  static void multiplyHalves() {
    addEach<float, c, a, b>([](float sum, const uint8_t *row, auto column) {
      float sums[2] = {};
      for (int p = 0; p < state().config.rowBytes[a] / 2; ++p)
        sums[p % 2] = normal(__builtin_fmaf(half(row + p * 2), half(column(p / 2) + p % 2 * 2), sums[p % 2]));
      return normal(sum + normal(sums[0] + sums[1]));
    });
  }

private:
  /// Each element of c becomes next(it, the row of a, column): column(q) has the bytes of the column in b's row q.
  template <class Sum, int c, int a, int b, class Next>
  static void addEach(Next next) {
    static_assert(c != a && c != b && a != b, "three registers");
    known(a), known(b), known(c);
    State &s = state();
    need(s.config.rowBytes[a] % 4 == 0 && s.config.rowBytes[b] % 4 == 0 && s.config.rowBytes[c] % 4 == 0);
    need(s.config.rowBytes[a] / 4 == s.config.rows[b]);
    need(s.config.rows[c] == s.config.rows[a] && s.config.rowBytes[c] == s.config.rowBytes[b]);
    for (int row = 0; row < s.config.rows[c]; ++row)
      for (int j = 0; j < s.config.rowBytes[c] / 4; ++j) {
        Sum sum;
        memcpy(&sum, &s.data[c][row][j * 4], sizeof(sum));
        sum = next(sum, &s.data[a][row][0], [&](int q) { return &s.data[b][q][j * 4]; });
        memcpy(&s.data[c][row][j * 4], &sum, sizeof(sum));
      }
    ++s.products;
  }
  /// Subnormal numbers are zeros.
  static float normal(float x) { return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x; }
  static float half(const uint8_t *from) {
    uint16_t upper;
    memcpy(&upper, from, sizeof(upper));
    return normal(bitCast<float>(uint32_t(upper) << 16));
  }
  static void need(bool holds) {
    if (!holds)
      __builtin_trap();
  }
  static void known(int t) { need(state().isConfigured && state().config.rows[t] > 0); }
};

} // namespace
} // namespace sinter
