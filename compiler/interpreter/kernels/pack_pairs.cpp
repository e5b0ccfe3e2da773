// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Panels of bytes [panels, fours, columns, 4] with pairs that are small, and behind them the extra fours that hold what
// these lack, and their places: templates/dot4/weight_pairs.h.
// Params: extras; the window's runs of a row (columns), and the bytes of a run (length).
#include "interpreter/kernel_call.h"
#include "templates/dot4/weight_pairs.h"

#include <cstring>

namespace sinter {
namespace {

/// Halves of a pair that is not small move from `pair` to `extra`. Whether there was one.
bool moveHalves(int8_t *pair, int8_t *extra) {
  if (isSmallPair(pair[0], pair[1]))
    return false;
  for (int i = 0; i < 2; ++i) {
    auto half = static_cast<int8_t>(pair[i] / 2);
    extra[i] = static_cast<int8_t>(pair[i] - half);
    pair[i] = half;
  }
  return true;
}

} // namespace

bool interpret_pack_pairs(KernelCall &call) {
  const auto from = call.in<int8_t, 4>(0);
  const auto to = call.out<int8_t, 4>(0);
  const int64_t panels = from.sizes[0], fours = from.sizes[1], columns = from.sizes[2], extras = call.integer("extras");
  const int64_t length = call.integer("length"), ofRun = (length + 3) / 4, perFour = columns * 4;
  const int64_t runsOfRow = call.integer("columns");
  for (int64_t p = 0; p < panels; ++p) {
    int8_t *panel = to.data + p * to.sizes[1] * perFour;
    int8_t *extra = panel + fours * perFour, *place = extra + extras * perFour;
    std::memset(extra, 0, static_cast<size_t>((to.sizes[1] - fours) * perFour));
    std::memcpy(panel, from.data + p * fours * perFour, static_cast<size_t>(fours * perFour));
    int64_t count = 0;
    for (int64_t q = 0; q < fours; ++q) {
      bool isExtra = false;
      for (int64_t i = 0; i < perFour; i += 2) {
        int8_t halves[2] = {0, 0};
        if (!moveHalves(panel + q * perFour + i, halves))
          continue;
        if (count == extras)
          return false;
        std::memcpy(extra + i, halves, sizeof(halves));
        isExtra = true;
      }
      if (!isExtra)
        continue;
      const int64_t run = q / ofRun, byte = q % ofRun * 4;
      const int32_t packed = packedPlace({run / runsOfRow, run % runsOfRow, byte + 4 > length ? length - 4 : byte});
      std::memcpy(place, &packed, sizeof(packed));
      place += sizeof(packed);
      extra += perFour;
      ++count;
    }
  }
  return true;
}
} // namespace sinter
